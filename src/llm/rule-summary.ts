// Extractive summary without an LLM: the caller's most informative sentences, each with the agent's reply.
import type { Message } from '../voice/ports.ts'
import { type Language, ruleLanguage, sentencesOf, stemsIn } from './words.ts'

const names: Readonly<Record<Language, readonly [caller: string, agent: string]>> = {
  pt: ['Cliente', 'Agente'],
  es: ['Cliente', 'Agente'],
  en: ['Caller', 'Agent'],
}
const MAX_TURNS = 3
const MAX_SENTENCE = 200

/** Null if the caller said nothing. */
export function ruleSummary(said: readonly Message[], language: string): string | null {
  const tongue = ruleLanguage(language)
  const asked = said.flatMap(({ role, content }, at) =>
    role === 'user' && content.trim() !== '' ? [{ at, stems: stemsIn(content, tongue), content }] : [],
  )
  // A repeated keyword is a topic of the conversation.
  const times = new Map<string, number>()
  for (const { stems } of asked) for (const stem of stems) times.set(stem, (times.get(stem) ?? 0) + 1)
  const weight = (stems: Iterable<string>) => [...stems].reduce((sum, stem) => sum + Math.sqrt(times.get(stem) ?? 0), 0)
  const [caller, agent] = names[tongue]
  const lines = asked
    .toSorted((a, b) => weight(b.stems) - weight(a.stems))
    .slice(0, MAX_TURNS)
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ at, content }) => {
      const answer = said[at + 1]?.role === 'agent' ? said[at + 1]?.content : undefined
      const told = answer && strongest(answer)
      return [`${caller}: ${strongest(content)}`, ...(told ? [`${agent}: ${told}`] : [])]
    })
  return lines.join(' ') || null

  function strongest(text: string): string {
    const sentences = sentencesOf(text.replaceAll(/\s+/g, ' '))
    const best = sentences.toSorted((a, b) => stemsIn(b, tongue).size - stemsIn(a, tongue).size)[0] ?? text.trim()
    return best.length <= MAX_SENTENCE ? best : `${best.slice(0, MAX_SENTENCE - 1).toWellFormed()}…`
  }
}
