// The speech service: recognition and synthesis for calls, metered per user, and the text-to-speech routes.

import { tokenSigner } from '../../base/crypto/tokens.ts'
import type { Meter } from '../../base/meter.ts'
import { speechForApi } from '../../speech/for-api.ts'
import { meteredSlots } from '../../speech/metered.ts'
import { openSpeech, type SpeechParts } from '../../speech/open.ts'
import type { ServiceContext } from '../service.ts'
import { type Speech, ttsRoutes } from './routes.ts'

export type SpeechServiceParts = {
  meter: Meter
  /** For tests: overrides dependencies of the routes. */
  overrides?: Partial<Speech> | undefined
} & SpeechParts

export function speechService(context: ServiceContext, { meter, overrides, ...parts }: SpeechServiceParts) {
  const { config, masterKeys, log } = context
  const engines = openSpeech(config.speech, log, parts)
  const slotsFor = meteredSlots(engines, meter)
  const tokens = tokenSigner(masterKeys, 'tts')
  const api = speechForApi({ slots: engines.slots, slotsFor, tokens, publicUrl: config.http.publicUrl })
  const needsRecognition = config.phone.port !== 0 && config.speech.embedded !== 'off'
  return {
    engines,
    slotsFor,
    tokens,
    routes: [ttsRoutes({ ...api, ...overrides })],
    start(): void {
      if (!needsRecognition) return
      engines
        .warmUpRecognition()
        .catch((err) => log.warn({ err }, 'failed to load speech recognition; agents cannot hear callers'))
    },
    [Symbol.asyncDispose]: () => engines.close(),
  }
}
