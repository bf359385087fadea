"""errata inside agents and chains of LangChain, and of CrewAI."""
