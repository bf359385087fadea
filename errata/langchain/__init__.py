"""errata inside agents and chains of LangChain."""
