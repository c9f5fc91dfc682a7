// What runs where: each test file, its databases, whether it belongs to the gate, and its requirements. The folder
// decides, unless the file overrides it with a line `// @run words: reason` at its top.
import { globSync, readFileSync } from 'node:fs'

export type Database = 'sqlite' | 'postgres' | 'two nodes'
export type Part = 'gate' | 'rest'
/** Files of a group share worker processes. */
export type Group = 'units' | 'speech' | 'phones' | 'processes' | 'web'

export type FileTask = {
  file: string
  on: Database
  part: Part
  group: Group
  /** Measures its process or changes global state: it gets a process of its own. */
  hasOwnProcess: boolean
  /** The result depends on real time, as with audio: enough of the CPU must be free. */
  isRealTime: boolean
  /** Nothing else runs at the same time. */
  isExclusive: boolean
  /** The name of the command that must have succeeded first. */
  after?: string
}

/** The words that `@run` accepts. */
const words = {
  'own-process': 'It measures its process or changes global state.',
  'real-time': 'Audio or time limits in real time: the CPU must be free enough.',
  exclusive: 'Nothing runs beside it.',
  gate: 'It belongs to the gate although its folder does not.',
  rest: 'It does not belong to the gate although its folder does.',
  sqlite: 'Its result does not depend on the database: it runs on SQLite only.',
  postgres: 'It runs on PostgreSQL only.',
  'gate-postgres': 'The gate runs it on PostgreSQL too.',
  'rest-nodes': 'The gate does not run it on two nodes.',
  'own-nodes': 'It starts nodes of its own: it does not run on two nodes.',
} as const
export type RunWord = keyof typeof words
const isWord = (text: string): text is RunWord => text in words

/** The words of a file's `@run` lines. */
export function runWords(file: string, source: string): Set<RunWord> {
  const found = new Set<RunWord>()
  for (const [, list = ''] of source.matchAll(/^\/\/ @run ([^:\n]+)(?::.*)?$/gm))
    for (const word of list.trim().split(/,\s*/)) {
      if (!isWord(word))
        throw new Error(`${file}: @run does not know "${word}". It knows ${Object.keys(words).join(', ')}`)
      found.add(word)
    }
  return found
}

const groups: readonly [RegExp, Group][] = [
  [/^(src\/speech\/(kokoro|whisper|tts|stt|vad|onnx)|test\/speech)\//, 'speech'],
  [/^test\/phones?\//, 'phones'],
  [/^test\/(scenarios|failover)\//, 'processes'],
  [/^test\/web\//, 'web'],
]
export const groupOf = (file: string): Group => groups.find(([folder]) => folder.test(file))?.[1] ?? 'units'

const patterns = ['src/**/*.test.ts', 'web/{src,client}/**/*.test.ts', 'test/**/*.test.ts']
export const testFiles = (): string[] => patterns.flatMap((pattern) => globSync(pattern)).sort()

/** The file asks for its database: it tests more on PostgreSQL. */
const asksForDatabase = /usesPostgres|databaseOfRun/
/** Covers numbered statements of the contract (contract.ts) through the API. */
const showsContract = /^\s*test\('\d+(, \d+)* \S/m
const isFull = (file: string) => file.endsWith('-full.test.ts')
/** Uses the platform's API or database; a feature test without them gives the same result on either database. */
const isApi = (file: string, source: string) =>
  /^src\/(http|db)\//.test(file) ||
  (/^src\/features\//.test(file) && /'[./]+\/test\/(app|visitors|records)\.ts'/.test(source))

/** Whole platforms with media threads and phones, or models of hundreds of MB. */
const loadsMuch = /^(test\/(scenarios|failover|phone|phones|speech)|src\/speech\/(kokoro|whisper))\//

export const BUILD = 'build the page'
export const PREPARE = 'prepare speech'
const after: Partial<Record<Group, string>> = { web: BUILD, speech: PREPARE }

function databasesOf(file: string, source: string, said: ReadonlySet<RunWord>): Database[] {
  if (said.has('sqlite')) return ['sqlite']
  if (said.has('postgres')) return ['postgres']
  const group = groupOf(file)
  if (isApi(file, source)) {
    const isOnTwoNodes = showsContract.test(source) && !isFull(file) && !said.has('own-nodes')
    return isOnTwoNodes ? ['sqlite', 'postgres', 'two nodes'] : ['sqlite', 'postgres']
  }
  if (group === 'processes' || (group === 'phones' && asksForDatabase.test(source))) return ['sqlite', 'postgres']
  return ['sqlite']
}

/**
 * Long runs and most phones belong to the rest, and so does the second database, except for the contract, which two
 * nodes cover.
 */
function partOf(file: string, on: Database, said: ReadonlySet<RunWord>): Part {
  if (said.has('rest') || isFull(file)) return 'rest'
  if (said.has('postgres')) return said.has('gate') ? 'gate' : 'rest'
  if (on === 'postgres') return said.has('gate-postgres') ? 'gate' : 'rest'
  if (on === 'two nodes') return said.has('rest-nodes') ? 'rest' : 'gate'
  const isLongKind = ['phones', 'processes'].includes(groupOf(file))
  return isLongKind && !said.has('gate') ? 'rest' : 'gate'
}

export function tasksOf(file: string): FileTask[] {
  const source = readFileSync(file, 'utf8')
  const said = runWords(file, source)
  const group = groupOf(file)
  return databasesOf(file, source, said).map((on) => ({
    file,
    on,
    part: partOf(file, on, said),
    group,
    hasOwnProcess: said.has('own-process') || loadsMuch.test(file),
    isRealTime: said.has('real-time') || group === 'phones',
    isExclusive: said.has('exclusive'),
    after: after[group],
  }))
}

/** Every file on each of its databases. */
export const allTasks = (): FileTask[] => testFiles().flatMap(tasksOf)

/** Starts no platform and no program, and takes less than a minute. */
export const isQuick = (file: string): boolean =>
  groupOf(file) === 'units' &&
  !/pattern-cost|fuzz|hostile|test\/runner/.test(file) &&
  !/startTestApp|startService|testApp\(|spawn\(|phone-app|phone-service|web-server/.test(readFileSync(file, 'utf8'))
