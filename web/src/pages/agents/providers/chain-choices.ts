// An account's voices as options: the agent's language first; the selected voice is always included. Pure.
import { baseLanguage } from '../../../components/voice-providers.ts'

type ListedVoice = { id: string; name: string; language: string }

/** Language tag of multilingual voices. */
const MANY = 'mul'

export function voiceOptions(voices: readonly ListedVoice[], language: string, chosen: string) {
  const speaks = ({ language: one }: ListedVoice) => one === MANY || baseLanguage(one) === baseLanguage(language)
  const ordered = [...voices.filter(speaks), ...voices.filter((voice) => !speaks(voice))]
  const options = ordered.map(({ id, name, language: one }) => ({
    value: id,
    label: one === MANY ? name : `${name} (${one})`,
  }))
  const isListed = chosen === '' || options.some(({ value }) => value === chosen)
  const all = isListed ? options : [{ value: chosen, label: chosen }, ...options]
  return all.filter(({ value }, at) => all.findIndex((other) => other.value === value) === at)
}
