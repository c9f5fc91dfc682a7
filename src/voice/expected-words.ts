// Names and words that the caller is likely to say: of the agent's prompt and tools, of what was said last, and of the call so far. Pure.
import type { Message, SttOptions, Tool } from './ports.ts'

export type ExpectedWords = Required<Pick<SttOptions, 'names' | 'words'>>

const MAX_NAMES = 50
const MAX_WORDS = 150
/** Letters that are read of a prompt, of a tool and of a message. */
const MAX_PROMPT = 10_000
const MAX_TOOL = 2_000
const MAX_MESSAGE = 1_000
/** The latest messages: what the caller said, what tools gave, and the agent's answer. */
const MAX_MESSAGES = 6
/** Names, descriptions and values of a tool's parameters. */
const MAX_VALUES = 100
const MAX_DEPTH = 6
/** Shorter words are articles and pronouns, which recognizers know. */
const MIN_LETTERS = 5
const MIN_NAME = 3
const MAX_LETTERS = 24
/** A longer run of capitalized words is a heading. */
const MAX_NAME_WORDS = 3

/** `names`: capitalized within a sentence, such as people, places and products. By their small letters. */
type Found = { names: Map<string, string>; words: Map<string, string> }

const found = (): Found => ({ names: new Map(), words: new Map() })

/** Adds what is new; case does not count. */
function add(to: Map<string, string>, term: string): void {
  const key = term.toLowerCase()
  if (!to.has(key)) to.set(key, term)
}

const isCapitalized = (word: string): boolean => /^\p{Lu}/u.test(word)
/** Emphasis or an abbreviation: NEVER, CPF. */
const isShouted = (word: string): boolean => word.length > 1 && word === word.toUpperCase()
const endsSentence = (between: string): boolean => between === '' || /[^ ,\t]/.test(between)

/** Words within sentences, and runs of capitalized ones as names. The first word of a sentence may be a name, and is a word. */
function read(text: string, into: Found): void {
  let name: string[] = []
  let end = -1
  const nameEnds = () => {
    if (name.length > 0 && name.length <= MAX_NAME_WORDS) add(into.names, name.join(' '))
    name = []
  }
  for (const { 0: word, index } of text.matchAll(/\p{L}[\p{L}\p{M}]*/gu)) {
    const between = end < 0 ? '' : text.slice(end, Math.min(index, end + 4))
    end = index + word.length
    const isFirst = endsSentence(between)
    const isName = !isFirst && isCapitalized(word) && !isShouted(word) && word.length >= MIN_NAME
    if (!isName || between !== ' ') nameEnds()
    if (isName) name.push(word)
    if (word.length >= MIN_LETTERS && word.length <= MAX_LETTERS) add(into.words, word)
  }
  nameEnds()
}

/** Parameter names and descriptions of a tool, and its permitted values. */
function readParameters(schema: unknown, texts: string[], into: Found, depth = 0): void {
  if (typeof schema !== 'object' || schema === null || depth > MAX_DEPTH) return
  for (const [key, value] of Object.entries(schema)) {
    if (texts.length + into.words.size >= MAX_VALUES) return
    if (key === 'properties' && typeof value === 'object' && value !== null)
      texts.push(...Object.keys(value).slice(0, MAX_VALUES).map(apart))
    if (key === 'description' && typeof value === 'string') texts.push(value)
    else if (key === 'enum' && Array.isArray(value)) for (const one of value.slice(0, MAX_VALUES)) addValue(into, one)
    else readParameters(value, texts, into, depth + 1)
  }
}

function addValue(into: Found, value: unknown): void {
  if (typeof value === 'string' && value.length >= MIN_NAME && value.length <= MAX_LETTERS)
    add(into.words, apart(value))
}

/** patientName and patient_name are two words each. */
const apart = (text: string): string =>
  text
    .slice(0, MAX_LETTERS)
    .replaceAll('_', ' ')
    .replace(/(?<=\p{Ll})\p{Lu}/gu, (letter) => ` ${letter.toLowerCase()}`)

function ofTool({ parameters }: Tool): Found {
  const into = found()
  const texts: string[] = []
  readParameters(parameters, texts, into)
  read(texts.join('\n').slice(0, MAX_TOOL), into)
  return into
}

function ofText(text: string): Found {
  const into = found()
  read(text, into)
  return into
}

/** Follows one call: the prompt and each tool are read once, the latest messages after each turn of the agent. */
export function expectedWords(prompt: string, tools: readonly Tool[]) {
  const ofPrompt = ofText(prompt.slice(0, MAX_PROMPT))
  const ofTools = new WeakMap<Tool, Found>()
  let inCall = found()
  let current = joined([...tools.map(toolWords), ofPrompt])

  function toolWords(tool: Tool): Found {
    const words = ofTools.get(tool) ?? ofTool(tool)
    ofTools.set(tool, words)
    return words
  }

  return {
    current: (): ExpectedWords => current,
    /** `said`: the agent's latest words; the latest of `history` may have names that are new. */
    agentSaid(said: string, history: readonly Message[]): void {
      const latest = history.filter(({ role }) => role !== 'system').slice(-MAX_MESSAGES)
      const { names } = ofText(latest.map(({ content }) => content.slice(0, MAX_MESSAGE)).join('\n'))
      inCall = { names: new Map([...names, ...inCall.names].slice(0, MAX_NAMES)), words: new Map() }
      current = joined([ofText(said.slice(-MAX_MESSAGE)), inCall, ...tools.map(toolWords), ofPrompt])
    },
  }
}

/** In this order, until there are enough. A word that is a name is no other word. */
function joined(parts: readonly Found[]): ExpectedWords {
  const all = found()
  for (const { names, words } of parts) {
    for (const name of names.values()) {
      if (all.names.size < MAX_NAMES) add(all.names, name)
      for (const part of name.split(' ').slice(1)) add(all.words, part)
    }
    for (const word of words.values()) add(all.words, word)
  }
  for (const key of all.names.keys()) all.words.delete(key)
  return { names: [...all.names.values()], words: [...all.words.values()].slice(0, MAX_WORDS) }
}
