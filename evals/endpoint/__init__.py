"""A simulated OpenAI-compatible endpoint, search engine and web on loopback, for benchmarks.

It is never a model: replies are made from the request alone, so that calls, tokens, time and
recovery can be measured on any machine, and quality cannot.
"""
