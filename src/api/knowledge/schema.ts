// Knowledge bases on the wire: bases, documents, passages, and a search to try them.
import { type Static, Type } from 'typebox'
import { Body, Choice, Maybe, Nullable, Text, Timestamp } from '../../http/schema.ts'

const name = Text(255)
const description = Type.String({ maxLength: 2000 })
const language = Type.String({
  maxLength: 35,
  format: 'language-tag',
  description: 'Language of the documents; null: detected per passage',
})
const generateQuestions = Type.Boolean({
  description: 'Have the language model, if configured, write questions for each passage to improve search',
})

export const KnowledgeBase = Type.Object(
  {
    id: Type.String(),
    name,
    description: Nullable(description),
    language: Nullable(language),
    generateQuestions,
    documentCount: Type.Integer(),
    passageCount: Type.Integer(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'KnowledgeBase' },
)
export type KnowledgeBase = Static<typeof KnowledgeBase>

const optional = { description: Maybe(description), language: Maybe(language) }
export const NewKnowledgeBase = Body({ name, ...optional, generateQuestions: Maybe(generateQuestions) })
export type NewKnowledgeBase = Static<typeof NewKnowledgeBase>

export const KnowledgeBasePatch = Body({
  name: Type.Optional(name),
  ...optional,
  generateQuestions: Type.Optional(generateQuestions),
})
export type KnowledgeBasePatch = Static<typeof KnowledgeBasePatch>

/** What may be sent as the body itself. */
export const uploadTypes = ['text/plain', 'text/markdown', 'text/html', 'text/csv', 'application/pdf'] as const

export const KnowledgeDocument = Type.Object(
  {
    id: Type.String(),
    knowledgeBaseId: Type.String(),
    name,
    contentType: Choice([...uploadTypes]),
    letters: Type.Integer({ description: 'Characters of extracted text' }),
    passageCount: Type.Integer(),
    status: Choice(['indexing', 'ready', 'failed'], {
      description: 'Keyword search works at once, even while vectors or questions are pending or have failed',
    }),
    error: Nullable(Type.String()),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'KnowledgeDocument' },
)
export type KnowledgeDocument = Static<typeof KnowledgeDocument>

export const KnowledgePassage = Type.Object(
  {
    number: Type.Integer(),
    heading: Type.String({ description: 'Enclosing headings, outermost first' }),
    content: Type.String(),
    questions: Type.Array(Type.String()),
    hasVector: Type.Boolean(),
  },
  { title: 'KnowledgePassage' },
)
export type KnowledgePassage = Static<typeof KnowledgePassage>

export const DocumentWithPassages = Type.Object(
  { ...KnowledgeDocument.properties, passages: Type.Array(KnowledgePassage) },
  { title: 'DocumentWithPassages' },
)
export type DocumentWithPassages = Static<typeof DocumentWithPassages>

export const NewDocument = Body({
  name,
  content: Type.String({ maxLength: 1_048_576, pattern: '\\S' }),
  contentType: Maybe(Choice(['text/plain', 'text/markdown', 'text/html', 'text/csv'])),
})
export type NewDocument = Static<typeof NewDocument>

export const ByDocument = Type.Object({ id: Type.String(), documentId: Type.String() })
export const UploadQuery = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 255, description: 'Name of a document uploaded as a file' })),
})

export const SearchRequest = Body({
  query: Text(2000),
  topK: Maybe(Type.Integer({ minimum: 1, maximum: 50, default: 5 })),
  minScore: Maybe(
    Type.Number({ minimum: 0, maximum: 1, description: 'Default: 0.33 for keyword search, 0.1 for semantic search' }),
  ),
})
export type SearchRequest = Static<typeof SearchRequest>

export const SearchResult = Type.Object(
  {
    by: Choice(['words', 'words_and_meaning']),
    note: Nullable(Type.String({ description: 'Why semantic search was not used although configured' })),
    passages: Type.Array(
      Type.Object({
        score: Type.Number({ description: 'From 0 to 1' }),
        documentId: Type.String(),
        documentName: Type.String(),
        number: Type.Integer(),
        heading: Type.String(),
        content: Type.String(),
      }),
    ),
  },
  { title: 'SearchResult' },
)
export type SearchResult = Static<typeof SearchResult>
