// Finds the tool a caller asks for, by the words of its name and description.

import { foldText } from '../base/text/text.ts'
import type { Tool } from '../voice/ports.ts'
import { endsCall, passesOn, signs } from './rule-phrases.ts'
import { isAnyText, requiredOf, withDigits } from './spoken-arguments.ts'
import { type Language, stemsIn } from './words.ts'

/** send_text, sendText and Send text are the same words. */
const spaced = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ')
export const plainName = (tool: Tool) =>
  foldText(spaced(tool.name))
    .trim()
    .replace(/[^a-z0-9]+/g, '_')

export const endingTool = (tools: readonly Tool[]): Tool | undefined =>
  tools.find((tool) => endsCall.test(plainName(tool)))

/** A tool that takes the question verbatim: a document search. */
export function isLookup(tool: Tool): boolean {
  const required = requiredOf(tool.parameters)
  return required.length === 1 && required.every((parameter) => parameter.name === 'query' && isAnyText(parameter))
}

/** Used when nothing else has an answer. */
export const lookupTool = (tools: readonly Tool[]): Tool | undefined => tools.find(isLookup)

type RequestedTool = { tool: Tool; score: number }

const IN_NAME = 1
const IN_DESCRIPTION = 0.7

/** The tool that fits the utterance, and how much of the utterance it covers. */
export function requestedTool(tools: readonly Tool[], text: string, language: Language): RequestedTool | undefined {
  const person = tools.find((tool) => passesOn.test(plainName(tool)))
  if (person && signs[language].person.test(foldText(text))) return { tool: person, score: 1 }
  // Digits are arguments.
  const said = [...stemsIn(withDigits(text, language), language)].filter((stem) => !/\d/.test(stem))
  let best: RequestedTool | undefined
  for (const tool of tools) {
    if (tool === person || endsCall.test(plainName(tool))) continue
    const name = stemsIn(spaced(tool.name), language)
    const description = stemsIn(tool.description, language)
    const inName = said.filter((stem) => name.has(stem)).length
    const inDescription = said.filter((stem) => !name.has(stem) && description.has(stem)).length
    const isMeant = (inName > 0 && (inName === name.size || inName + inDescription >= 2)) || inDescription >= 2
    const score = (IN_NAME * inName + IN_DESCRIPTION * inDescription) / Math.max(1, said.length)
    if (isMeant && score >= 0.4 && score > (best?.score ?? 0)) best = { tool, score }
  }
  return best
}
