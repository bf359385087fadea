// The records that errata writes as JSON; made from the schemas beside this file.

export interface Answer {
  method: string;
  question: string;
  response: string;
  action: "correct" | "incorrect" | "ambiguous" | "";
  documents: Array<Document>;
  scores: Record<string, number | null>;
  knowledge: Array<Knowledge>;
  queries: Array<string>;
  trail: Record<string, unknown>;
  usage: Usage;
  prompts: Record<string, string>;
  notes: Array<string>;
}

export interface Claim {
  id: string;
  text: string;
  start: number;
  end: number;
  citations: Array<string>;
}

export interface Correction {
  method: string;
  question: string;
  draft: string;
  response: string;
  changed: boolean;
  label: "supported" | "refuted" | "conflicting" | "not_mentioned";
  claims: Array<Claim>;
  verdicts: Array<Verdict>;
  edits: Array<Edit>;
  skipped: Array<Skipped>;
  unmended: Array<string>;
  documents: Array<Document>;
  trail: Record<string, unknown>;
  usage: Usage;
  prompts: Record<string, string>;
  notes: Array<string>;
}

export interface Document {
  /** The words themselves; quotes count characters in it. */
  text: string;
  /** Unique within one run; numbered `d1`, `d2`, … where the caller gave none. */
  id: string;
  title: string;
  url: string;
  source: "given" | "corpus" | "web" | "model";
  /** The retriever's own score, higher is better; None where nothing ranked it. */
  score: number | null;
  /** When it was fetched, ISO 8601; empty for given documents. */
  retrieved_at: string;
  /** The day of its last change, or of its publication, as its page says; empty if it does not. */
  dated: string;
}

export interface Edit {
  start: number;
  end: number;
  before: string;
  after: string;
  claims: Array<string>;
  evidence: Array<Quote>;
  explanation: string;
}

export interface Knowledge {
  document: string;
  start: number;
  end: number;
  text: string;
  score: number | null;
}

export interface Quote {
  document: string;
  start: number;
  end: number;
  text: string;
}

export interface Skipped {
  start: number;
  end: number;
  text: string;
  reason: string;
}

export interface Usage {
  model_calls: number;
  prompt_tokens: number;
  completion_tokens: number;
  searches: number;
  pages: number;
  seconds: number;
  money: number;
  by_role: Record<string, Record<string, number>>;
  by_model: Record<string, Record<string, number>>;
}

export interface Verdict {
  claim: string;
  label: "supported" | "refuted" | "conflicting" | "not_mentioned" | "unreadable" | "unchecked";
  reason: "contradicted" | "absent" | "not_understood" | null;
  score: number | null;
  evidence: Array<Quote>;
  explanation: string;
  doubted: Array<string>;
}
