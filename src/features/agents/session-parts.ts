// What rehearsals and previews of campaigns use of an agent's sessions.
import { collectFor, withCollect } from './collect-function.ts'
import { sessionOptions, speakerFor } from './session-options.ts'
import { turnMetrics } from './turn-metrics.ts'

export const sessionParts = { collectFor, withCollect, sessionOptions, speakerFor, turnMetrics }
export type SessionParts = typeof sessionParts
