// The rows of knowledge bases; part of tables.ts.

type Owned = { id: string; userId: string; createdAt: string }

export type KnowledgeBaseRow = Owned & {
  rowVersion?: number // see VersionedRow in tables.ts
  name: string
  description: string | null
  language: string | null // of its texts; null: detected per passage
  generateQuestions: 0 | 1
  version: number // incremented when any of its passages change: an index of another version is stale
  updatedAt: string
}

export type KnowledgeDocumentRow = Owned & {
  knowledgeBaseId: string
  name: string
  contentType: string
  letters: number
  passageCount: number
  status: 'indexing' | 'ready' | 'failed' // text search works immediately; vectors and questions are added later
  error: string | null // human-readable reason of a failure
  tries: number
  dueAt: string | null // for indexing: not before this, or the end of a worker's lease
  embeddedBy: string | null // the model behind the vectors of all its passages
  updatedAt: string
}

export type KnowledgePassageRow = {
  documentId: string
  number: number // 1, 2, 3 … within its document
  heading: string // the headings above it, outermost first
  content: string
  questions: string | null // JSON: questions it answers, written by a model; null: not written yet
  vector: string | null // base64, of embeddedBy; see retrieval/vectors.ts
}
