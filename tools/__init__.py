"""The outside and the local judges; nothing here knows LangGraph."""
