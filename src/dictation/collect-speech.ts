// The sentences of a collecting dialogue: what the agent says next, and the result for the model.
import type { CollectState } from './collect-dialogue.ts'
import { type CollectPhrases, collectPhrasesOf } from './collect-phrases.ts'
import type { ValueKind } from './kinds.ts'
import { spokenGroups } from './spoken-groups.ts'

const typed: ReadonlySet<ValueKind> = new Set(['cpf', 'cnpj', 'cep', 'phone', 'number'])

export function promptFor(state: CollectState): string {
  const { request, context, partial, value, prompt, failures } = state
  const phrases = collectPhrasesOf(context.language)
  const name = request.label ?? phrases.names[request.kind]
  const spoken = spokenGroups(request.kind, value ?? partial, context.language)
  // Offer the keypad after two misunderstandings.
  const keypad = failures > 1 && typed.has(request.kind) ? ` ${phrases.keypad}` : ''
  switch (prompt) {
    case 'ask':
      return questionOf(state, phrases)
    case 'ask-again':
      return `${phrases.notUnderstood} ${questionOf(state, phrases)}${keypad}`
    case 'go-on':
      return goOn(state, phrases, spoken) + keypad
    case 'one-missing':
      return phrases.oneMissing(name) + keypad
    case 'invalid':
      return (isDocument(request.kind) ? phrases.invalidDocument(name) : phrases.invalid(name)) + keypad
    case 'repeat':
      return phrases.repeat(name) + keypad
    case 'wait':
      return phrases.waiting
    case 'confirm':
      return phrases.confirm(spoken)
    case 'confirm-corrected':
      return phrases.confirmCorrected(spoken)
    case 'confirm-again':
      return phrases.confirmAgain(spoken)
  }
}

const isDocument = (kind: ValueKind) => kind === 'cpf' || kind === 'cnpj'

function questionOf({ request }: CollectState, phrases: CollectPhrases): string {
  return request.question ?? (request.label ? phrases.ask(request.label) : phrases.questions[request.kind])
}

function goOn({ request, partial }: CollectState, phrases: CollectPhrases, spoken: string): string {
  if (request.kind === 'date') return phrases.goOnDate
  const mayLackAreaCode = request.kind === 'phone' && (partial.length === 8 || partial.length === 9)
  return mayLackAreaCode ? phrases.goOnPhone(spoken) : phrases.goOn(spoken)
}

/** Codes, and a sentence in the agent's language. */
export function resultFor({ request, context, outcome }: CollectState): string {
  const phrases = collectPhrasesOf(context.language)
  const name = request.label ?? phrases.names[request.kind]
  if (outcome?.status === 'collected') {
    const { status, value, isConfirmed } = outcome
    const message = isConfirmed ? phrases.collected(name) : phrases.collectedUnconfirmed(name)
    return JSON.stringify({
      status,
      kind: request.kind,
      value,
      ...formattedField(request.kind, value),
      confirmed: isConfirmed,
      message,
    })
  }
  if (!outcome) return JSON.stringify({ status: 'collecting', kind: request.kind })
  const { status, reason, lastHeard } = outcome
  const message = [phrases.failures[reason](name), request.isOptional ? phrases.goOnWithout : ''].join(' ').trim()
  return JSON.stringify({ status, kind: request.kind, reason, lastHeard, message })
}

/** The usual notation. */
const formats: Partial<Readonly<Record<ValueKind, readonly [RegExp, string]>>> = {
  cpf: [/^(.{3})(.{3})(.{3})(.{2})$/, '$1.$2.$3-$4'],
  cnpj: [/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5'],
  cep: [/^(.{5})(.{3})$/, '$1-$2'],
}

function formattedField(kind: ValueKind, value: string): { formatted?: string } {
  const format = formats[kind]
  return format ? { formatted: value.replace(...format) } : {}
}
