// The rule agent, which replies without a language model: it greets, answers with the best passage of its prompt, uses
// the requested tool, asks back when nothing fits, and says goodbye. The same words always get the same reply.
import { LruCache } from '../base/lru-cache.ts'
import { parseOutside } from '../base/outside/json.ts'
import { limits } from '../base/outside/limits.ts'
import { foldText } from '../base/text/text.ts'
import type { Llm, LlmPart, Message, Tool } from '../voice/ports.ts'
import { bestPassage, type Passage, passagesOf } from './passages.ts'
import { endingTool, isLookup, lookupTool, requestedTool } from './requested-tool.ts'
import { isGreeting, type Phrases, phrases, signs } from './rule-phrases.ts'
import { argumentsIn, isAnyText, type Parameter, requiredOf } from './spoken-arguments.ts'
import { type Language, ruleLanguage, sentencesOf, stemsIn } from './words.ts'

const FITS = 0.34 // share of a question's weighted keywords below which a passage is irrelevant
const FITS_LOOKED_UP = 0.2 // for passages that a search has already found
const MAX_CACHED_PROMPTS = 64
const MAX_PROMPT = 400_000
const MAX_SAID = 4_000

type Step = { say: string } | { use: Tool; args: Record<string, unknown>; say?: string }

export function ruleAgent(): Llm {
  const known = new LruCache<string, Passage[]>(MAX_CACHED_PROMPTS)

  function passagesIn(history: readonly Message[], tongue: Language): Passage[] {
    const text = history
      .filter(({ role }) => role === 'system')
      .map(({ content }) => content)
      .join('\n\n')
      .slice(0, MAX_PROMPT)
    const key = `${tongue} ${text}`
    const passages = known.get(key) ?? passagesOf(text, tongue)
    known.set(key, passages)
    return passages
  }

  function decide(history: readonly Message[], tools: readonly Tool[], tongue: Language): Step {
    const words = phrases[tongue]
    const results = history.slice(history.findLastIndex(({ role }) => role !== 'tool') + 1)
    if (results.length > 0)
      return {
        say: results.map((result) => lookedUp(result, history, tongue) ?? told(result.content, words)).join(' '),
      }
    const text = lastSaid(history)
    if (text === '') return { say: words.greeting }

    const lastAnswer = history.findLast(({ role, content }) => role === 'agent' && content !== '')?.content ?? ''
    const pending = pendingTool(history, tools, tongue, lastAnswer)
    if (pending) return pending

    const plain = foldText(text)
    const { farewell, thanks, repeat, refusal, interrogative } = signs[tongue]
    const isQuestion = interrogative.test(plain)
    const isLeaving =
      (farewell.test(plain) && !plain.includes('?')) || (refusal.test(plain) && lastAnswer === words.welcome)
    if (isLeaving) {
      const ending = endingTool(tools)
      const isFree = ending && requiredOf(ending.parameters).length === 0
      return isFree ? { use: ending, args: {}, say: words.goodbye } : { say: words.goodbye }
    }

    const found = bestPassage(passagesIn(history, tongue), text, tongue)
    const fit = found && found.score >= FITS ? found : undefined
    const asked = requestedTool(tools, text, tongue)
    // A question is more likely for the prompt, a request for a tool.
    if (asked && asked.score > (fit?.score ?? 0) * (isQuestion ? 1.2 : 0.8)) return use(asked.tool, text, tongue)
    if (fit) return { say: fit.passage.say }
    if (repeat.test(plain) && lastAnswer !== '') return { say: lastAnswer }
    const isEmpty = stemsIn(text, tongue).size === 0
    if (thanks.test(plain) && (isEmpty || !isQuestion)) return { say: words.welcome }
    if (isGreeting(plain) && (isEmpty || !isQuestion)) return { say: words.greeting }
    const lookup = isEmpty ? undefined : lookupTool(tools)
    if (lookup) return use(lookup, text, tongue)
    return { say: lastAnswer === words.askBack ? words.askBackAgain : words.askBack }
  }

  return {
    name: 'rules',
    isModel: false,

    async *reply(history, offered, { language, mayCallTools = true }, signal): AsyncGenerator<LlmPart> {
      const step = decide(history, mayCallTools ? offered : [], ruleLanguage(language))
      const sentences = sentencesOf(step.say ?? '')
      for (const [i, sentence] of sentences.entries()) {
        if (signal.aborted) return
        yield { say: i === sentences.length - 1 ? sentence : `${sentence} ` }
      }
      if ('use' in step && !signal.aborted)
        yield { call: { id: `call_${history.length}`, name: step.use.name, args: step.args } }
    },
  }
}

/** What the caller said since the agent last spoke. */
function lastSaid(history: readonly Message[]): string {
  const since = history.slice(history.findLastIndex(({ role }) => role === 'agent') + 1)
  const said = since.filter(({ role }) => role === 'user').map(({ content }) => content.trim())
  return said.join(' ').trim().slice(-MAX_SAID)
}

function use(tool: Tool, text: string, tongue: Language, ready: Record<string, unknown> = {}): Step {
  if (isLookup(tool)) return { use: tool, args: { query: text } }
  const required = requiredOf(tool.parameters).filter(({ name }) => !Object.hasOwn(ready, name))
  const { args, missing } = argumentsIn(text, required, tongue)
  const [first] = missing
  return first ? { say: phrases[tongue].need(first.label) } : { use: tool, args: { ...ready, ...args } }
}

/** If the agent's last words asked for a tool argument, the utterance is read as that argument. */
function pendingTool(
  history: readonly Message[],
  tools: readonly Tool[],
  tongue: Language,
  lastAnswer: string,
): Step | undefined {
  for (const tool of tools) {
    const required = requiredOf(tool.parameters)
    const wanted = required.find(({ label }) => phrases[tongue].need(label) === lastAnswer)
    if (!wanted) continue
    const text = lastSaid(history)
    if (signs[tongue].farewell.test(foldText(text)) || signs[tongue].interrogative.test(foldText(text)))
      return undefined
    // All words since the tool was requested: the request or one reply may contain several arguments.
    const ours = new Set(required.map(({ label }) => phrases[tongue].need(label)))
    const begin = history.findLastIndex(({ role, content }) => role === 'agent' && content !== '' && !ours.has(content))
    const said = history.slice(begin + 1).filter(({ role }) => role === 'user')
    const before = argumentsIn(said.map(({ content }) => content).join(' '), required, tongue).args
    return use(tool, text, tongue, withBare(before, wanted, text))
  }
  return undefined
}

const withBare = (args: Record<string, unknown>, wanted: Parameter, text: string) =>
  !Object.hasOwn(args, wanted.name) && isAnyText(wanted) && text.length <= 120
    ? { ...args, [wanted.name]: text.replace(/[\s.!]{1,120}$/, '') }
    : args

/** The sentence of the retrieved passages that answers the question; undefined for any other result. */
function lookedUp({ callId, content }: Message, history: readonly Message[], tongue: Language): string | undefined {
  const call = history.flatMap(({ calls }) => calls ?? []).findLast(({ id }) => id === callId)
  const { query, ...others } = (call?.args ?? {}) as { query?: unknown }
  if (typeof query !== 'string' || Object.keys(others).length > 0) return undefined
  // The source before each passage is parsed as a heading.
  const found = /^\[1\] /.test(content)
    ? bestPassage(passagesOf(content.replace(/^\[\d+\] /gm, '# '), tongue), query, tongue)
    : undefined
  return found && found.score >= FITS_LOOKED_UP ? found.passage.say : phrases[tongue].askBack
}

/** A tool's result as speech: a text as it is, an object as its plain fields. */
function told(content: string, words: Phrases): string {
  const text = content.trim()
  if (text === '') return words.done
  if (!/^[[{]/.test(text)) return text
  try {
    const value: unknown = parseOutside(text, limits.toolAnswer)
    const fields = Object.entries(value as object).filter(([, field]) => field !== null && typeof field !== 'object')
    const said = fields.map(([name, field]) => {
      const plain = typeof field === 'boolean' ? (field ? words.yes : words.no) : String(field)
      return Array.isArray(value) ? plain : `${name.replace(/[_-]+/g, ' ')}: ${plain}`
    })
    return said.length > 0 ? `${said.slice(0, 8).join(', ')}.` : words.done
  } catch {
    return text
  }
}
