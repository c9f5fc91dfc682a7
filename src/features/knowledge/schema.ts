// API schema of knowledge bases: bases, documents, passages and the test search.
import { type Static, Type } from 'typebox'
import { Body, Choice, Example, Id, Maybe, Nullable, Text, Timestamp } from '../../http/schema.ts'

const name = Text(255, { examples: ['Convênios e preços'] })
const description = Type.String({ maxLength: 2000, examples: ['Tabelas de convênios e regras da clínica'] })
const language = Type.String({
  maxLength: 35,
  format: 'language-tag',
  description: 'Language of the documents; null: detected per passage',
  examples: ['pt-BR'],
})
const generateQuestions = Type.Boolean({
  description: 'Have the language model, if configured, write questions for each passage to improve search',
})

export const KnowledgeBase = Type.Object(
  {
    id: Id('kb'),
    name,
    description: Nullable(description),
    language: Nullable(language),
    generateQuestions,
    documentCount: Type.Integer({ examples: [4] }),
    passageCount: Type.Integer({ examples: [57] }),
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

/** Types accepted as the request body. */
export const uploadTypes = ['text/plain', 'text/markdown', 'text/html', 'text/csv', 'application/pdf'] as const

export const KnowledgeDocument = Type.Object(
  {
    id: Id('doc'),
    knowledgeBaseId: Id('kb'),
    name,
    contentType: Choice([...uploadTypes]),
    letters: Type.Integer({ examples: [12480], description: 'Characters of extracted text' }),
    passageCount: Type.Integer({ examples: [57] }),
    status: Choice(['indexing', 'ready', 'failed'], {
      examples: ['ready'],
      description: 'Keyword search works at once, even while vectors or questions are pending or have failed',
    }),
    error: Nullable(Example('', { examples: [null] })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'KnowledgeDocument' },
)
export type KnowledgeDocument = Static<typeof KnowledgeDocument>

export const KnowledgePassage = Type.Object(
  {
    number: Type.Integer({ examples: [1] }),
    heading: Example('Convênios > Unimed', { description: 'Enclosing headings, outermost first' }),
    content: Example('Atendemos Unimed em todas as especialidades, exceto estética.'),
    questions: Type.Array(Example('Vocês atendem Unimed?')),
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
  content: Type.String({
    maxLength: 1_048_576,
    pattern: '\\S',
    examples: ['# Convênios\n\nAtendemos Unimed em todas as especialidades, exceto estética.'],
  }),
  contentType: Maybe(Choice(['text/plain', 'text/markdown', 'text/html', 'text/csv'], { examples: ['text/markdown'] })),
})
export type NewDocument = Static<typeof NewDocument>

export const ByDocument = Type.Object({ id: Type.String(), documentId: Type.String() })
export const UploadQuery = Type.Object({
  name: Type.Optional(
    Type.String({ maxLength: 255, description: 'Name of a document uploaded as a file', examples: ['convenios.pdf'] }),
  ),
})

export const SearchRequest = Body({
  query: Text(2000, { examples: ['Vocês atendem Unimed?'] }),
  topK: Maybe(Type.Integer({ minimum: 1, maximum: 50, default: 5 })),
  minScore: Maybe(
    Type.Number({ minimum: 0, maximum: 1, description: 'Default: 0.33 for keyword search, 0.1 for semantic search' }),
  ),
})
export type SearchRequest = Static<typeof SearchRequest>

export const SearchResult = Type.Object(
  {
    by: Choice(['words', 'words_and_meaning']),
    note: Nullable(
      Example('', { examples: [null], description: 'Why semantic search was not used although configured' }),
    ),
    passages: Type.Array(
      Type.Object({
        score: Type.Number({ examples: [0.82], description: 'From 0 to 1' }),
        documentId: Id('doc'),
        documentName: Example('Convênios e preços'),
        number: Type.Integer({ examples: [1] }),
        heading: Example('Convênios > Unimed'),
        content: Example('Atendemos Unimed em todas as especialidades, exceto estética.'),
      }),
    ),
  },
  { title: 'SearchResult' },
)
export type SearchResult = Static<typeof SearchResult>
