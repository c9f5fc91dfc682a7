// The code blocks of a guide and their purpose: commands and settings to paste, servers and data to save, or text to
// read.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Block = {
  guide: string
  /** Line number of the block's first line of code. */
  line: number
  language: string
  /** Why the block cannot run here, as the guide states after the language: ```sh norun: needs a carrier */
  norun: string | null
  text: string
}

export const guidesWithCommands = ['first-call', 'campaigns', 'tools', 'providers', 'widget', 'answer-hook'] as const

const docs = join(import.meta.dirname, '..', '..', 'docs')

export const blocksOf = (guide: string): Block[] => parseBlocks(guide, readFileSync(join(docs, `${guide}.md`), 'utf8'))

export function parseBlocks(guide: string, source: string): Block[] {
  const blocks: Block[] = []
  let open: { block: Block; lines: string[]; indent: number } | null = null
  for (const [index, line] of source.split('\n').entries()) {
    const bare = line.trimStart()
    if (!bare.startsWith('```')) {
      open?.lines.push(line.slice(Math.min(open.indent, line.length - bare.length)))
      continue
    }
    if (open) {
      blocks.push({ ...open.block, text: open.lines.join('\n') })
      open = null
      continue
    }
    const { language, norun } = infoOf(guide, bare.slice(3).trim())
    const block = { guide, line: index + 2, language, norun, text: '' }
    open = { block, lines: [], indent: line.length - bare.length }
  }
  return blocks
}

function infoOf(guide: string, info: string): Pick<Block, 'language' | 'norun'> {
  const [language = ''] = info.split(' ', 1)
  const note = info.slice(language.length).trim()
  if (note === '') return { language, norun: null }
  const reason = /^norun: (\S.*)$/.exec(note)?.[1]
  if (!reason) throw new Error(`${guide}: after the language of a block there may be "norun: REASON", not "${note}"`)
  return { language, norun: reason }
}

/** Splits a block into statements as a shell reads them; one spans several lines if a quote or a command continues. */
export function statementsOf(text: string, isComplete: (statement: string) => boolean): string[] {
  const statements: string[] = []
  let current = ''
  for (const line of text.split('\n')) {
    if (current === '' && (line.trim() === '' || line.startsWith('#'))) continue
    current = current === '' ? line : `${current}\n${line}`
    if (line.endsWith('\\') || !isComplete(current)) continue
    statements.push(current)
    current = ''
  }
  return current === '' ? statements : [...statements, current]
}
