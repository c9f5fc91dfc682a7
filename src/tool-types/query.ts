// Tool type query: searches the owner's knowledge bases and returns passages with their sources. Read-only.
import type { Json, Outcome, ToolRecord, ToolType } from './ports.ts'

export type PassageFound = { score: number; documentName: string; heading: string; content: string }

/** Searches this user's knowledge bases; other users' and deleted ones are `missing`. An empty query loads them. */
export type FindPassages = (
  asked: {
    userId: string
    knowledgeBaseIds: readonly string[]
    query: string
    topK: number
    /** Null: the default. */
    minScore: number | null
    /** The caller's language; null if unknown. */
    language: string | null
  },
  signal: AbortSignal,
) => Promise<{
  passages: (PassageFound & { documentId: string; number: number })[]
  missing: readonly string[]
  by: 'words' | 'words_and_meaning'
  /** Semantic search is configured but failed. */
  isDegraded: boolean
}>

type QueryConfig = {
  knowledgeBaseIds?: readonly string[] | null
  topK?: number | null
  minScore?: number | null
  maxTokens?: number | null
  autoInject?: boolean | null
}

const TIMEOUT_MS = 8000
const LETTERS_PER_TOKEN = 4
const MAX_LETTERS = 15_000 // limit of a tool result; see results.ts
const DESCRIPTION = 'Looks up what the documents of the company say about a question'

/** The result of a search that found nothing. */
export const NOTHING_FOUND = 'Nothing was found about this in the knowledge base.'

const parameters: Json = {
  type: 'object',
  properties: {
    query: {
      type: 'string',
      description: 'What to look for, as a question or in keywords',
      minLength: 1,
      maxLength: 2000,
    },
  },
  required: ['query'],
  additionalProperties: false,
}

export function query(find: FindPassages): ToolType {
  async function look(tool: ToolRecord, words: string, language: string | null, signal: AbortSignal) {
    const { knowledgeBaseIds, topK, minScore, maxTokens } = tool.config as QueryConfig
    const found = await find(
      {
        userId: tool.userId,
        knowledgeBaseIds: knowledgeBaseIds ?? [],
        query: words,
        topK: topK ?? 5,
        minScore: minScore ?? null,
        language,
      },
      signal,
    )
    const most = Math.min(MAX_LETTERS, (maxTokens ?? 800) * LETTERS_PER_TOKEN)
    return { ...found, most }
  }

  return {
    problem,
    functions(tool) {
      if (problem(tool) !== null) return []
      return [
        {
          name: tool.name,
          description: tool.description ?? DESCRIPTION,
          parameters: tool.parameters ?? parameters,
          hasEffect: false,
          isRepeatable: true,
          timeoutMs: TIMEOUT_MS,
          async run({ args, context }, signal): Promise<Outcome> {
            const words = wordsOf(args)
            if (words === '') return { ok: false, error: 'Missing: query' }
            const { passages, missing, most } = await look(tool, words, context.language, signal)
            const text = passagesText(passages, most)
            const gone = missing.map((id) => `The knowledge base ${id} was not found.`)
            if (text !== '') return { ok: true, text: [text, ...gone].join('\n\n') }
            return { ok: true, text: [NOTHING_FOUND, ...gone].join(' ') }
          },
        },
      ]
    },

    /** Loads the index while the agent greets, so that the first question does not wait for it. */
    ready: (tool) =>
      problem(tool) === null
        ? look(tool, '', null, AbortSignal.timeout(TIMEOUT_MS)).then(
            () => {},
            () => {},
          )
        : Promise.resolve(),

    async context(tool, { words, language }, signal) {
      if (problem(tool) !== null || (tool.config as QueryConfig).autoInject !== true) return null
      const { passages, most } = await look(tool, words, language, signal)
      return passagesText(passages, most, () => '## ') || null
    },
  }
}

function problem(tool: ToolRecord): string | null {
  const ids = (tool.config as QueryConfig).knowledgeBaseIds
  return Array.isArray(ids) && ids.length > 0 ? null : 'config.knowledgeBaseIds is missing'
}

/** The owner may have renamed the parameter. */
function wordsOf(args: Json): string {
  const given = typeof args.query === 'string' ? [args.query] : Object.values(args)
  return given
    .filter((value) => typeof value === 'string')
    .join(' ')
    .trim()
    .slice(0, 2000)
}

/** As many passages as fit, best first, each below its source. A first one that is too long ends after a sentence. */
export function passagesText(
  passages: readonly PassageFound[],
  maxLetters: number,
  mark = (number: number) => `[${number}] `,
): string {
  const parts: string[] = []
  let left = maxLetters
  for (const { documentName, heading, content } of passages) {
    const source = mark(parts.length + 1) + [documentName, heading].filter((name) => name !== '').join(' › ')
    const room = left - source.length - 3
    const text = content.length <= room ? content : parts.length === 0 ? cutTo(content, room) : ''
    if (text === '') continue
    parts.push(`${source}\n${text}`)
    left -= source.length + text.length + 3
  }
  return parts.join('\n\n')
}

function cutTo(text: string, letters: number): string {
  if (letters <= 0) return ''
  const head = text.slice(0, letters).toWellFormed()
  const end = Math.max(head.lastIndexOf('. '), head.lastIndexOf('! '), head.lastIndexOf('? '), head.lastIndexOf('\n'))
  return end > letters / 3 ? head.slice(0, end + 1).trim() : head.trim()
}
