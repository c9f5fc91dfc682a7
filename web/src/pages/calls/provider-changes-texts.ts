// Texts of provider changes within a call.
import { texts } from '../../i18n/texts.ts'

export const providerChangeTexts = texts(
  {
    kind: { llm: 'Modelo de linguagem', stt: 'Reconhecimento de fala', tts: 'Voz' },
    embedded: { llm: 'anotador de recados', stt: 'reconhecimento integrado', tts: 'voz integrada' },
    degraded: (kind: string, from: string, to: string) => `${kind}: a chamada passou de ${from} para ${to}.`,
    recovered: (kind: string, to: string) => `${kind}: de volta: ${to}.`,
  },
  {
    kind: { llm: 'Language model', stt: 'Speech recognition', tts: 'Voice' },
    embedded: { llm: 'the message taker', stt: 'the built-in recognition', tts: 'the built-in voice' },
    degraded: (kind: string, from: string, to: string) => `${kind}: the call moved from ${from} to ${to}.`,
    recovered: (kind: string, to: string) => `${kind}: ${to} again.`,
  },
  {
    kind: { llm: 'Modelo de lenguaje', stt: 'Reconocimiento de voz', tts: 'Voz' },
    embedded: { llm: 'toma de recados', stt: 'reconocimiento integrado', tts: 'voz integrada' },
    degraded: (kind: string, from: string, to: string) => `${kind}: la llamada pasó de ${from} a ${to}.`,
    recovered: (kind: string, to: string) => `${kind}: de nuevo ${to}.`,
  },
)
