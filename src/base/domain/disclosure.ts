// The AI disclosure: the first sentence of a campaign call, saying that a machine is calling. Calls and campaign
// previews use the same words.

export type DisclosureOptions = {
  disclosure: { isOn: boolean; text?: string | null | undefined }
  /** BCP 47 tag of the agent's language. */
  language: string
  /** Left out of the sentence if empty. */
  agentName: string
}

const sentences: Readonly<Record<string, (agentName: string) => string>> = {
  pt: (name) => `Olá, aqui é ${name === '' ? 'uma' : `${name},`} assistente virtual. Esta é uma ligação automática.`,
  es: (name) => `Hola, le habla ${name === '' ? 'una' : `${name},`} asistente virtual. Esta es una llamada automática.`,
  en: (name) => `Hello, this is ${name === '' ? 'a' : `${name}, a`} virtual assistant. This is an automated call.`,
}

/** Null if switched off. The text may contain {{variables}}, which the caller of this function fills. */
export function disclosureSentence({ disclosure, language, agentName }: DisclosureOptions): string | null {
  if (!disclosure.isOn) return null
  const own = disclosure.text?.trim() ?? ''
  if (own !== '') return /[.!?…]$/.test(own) ? own : `${own}.`
  const sentence = sentences[language.slice(0, 2).toLowerCase()] ?? sentences.en
  return sentence?.(agentName.trim()) ?? null
}
