// The rows of knowledge bases: a page of their own beside tables.ts.

type Owned = { id: string; userId: string; createdAt: string }

export type KnowledgeBaseRow = Owned & {
  name: string
  description: string | null
  language: string | null // of its texts; null: guessed for each passage
  generateQuestions: 0 | 1
  version: number // grows with every change of what can be found: an index of another version is out of date
  updatedAt: string
}

export type KnowledgeDocumentRow = Owned & {
  knowledgeBaseId: string
  name: string
  contentType: string
  letters: number
  passageCount: number
  status: 'indexing' | 'ready' | 'failed' // its words can be found at once; what a model adds comes after
  error: string | null // why it failed, in words
  tries: number
  dueAt: string | null // indexing: not before this, and until then it is somebody's
  embeddedBy: string | null // the model whose vectors all its passages have
  updatedAt: string
}

export type KnowledgePassageRow = {
  documentId: string
  number: number // 1, 2, 3 … within its document
  heading: string // the headings above it, from the outermost
  content: string
  questions: string | null // JSON: what it answers, as a model would ask it; null: not asked yet
  vector: string | null // base64, of embeddedBy; see knowledge/vectors.ts
}
