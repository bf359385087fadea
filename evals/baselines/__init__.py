"""The methods that the papers compare with, one file each, their prompts in `prompts/METHOD`."""

from errata.prompts.library import add_prompts

add_prompts(__name__)
