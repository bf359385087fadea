"""errata inside LangChain agents and chains."""
