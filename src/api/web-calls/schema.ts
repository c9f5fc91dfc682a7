// Web calls on the wire: what is asked for, and the token that opens one.
import { type Static, Type } from 'typebox'
import { Body, FreeObject, Maybe, Timestamp } from '../../http/schema.ts'

/** Both travel in the token, which has to fit into a header on its way through any proxy. */
const MAX_BYTES = 2048

export const NewWebCall = Body({
  agentId: Type.String(),
  variables: Maybe(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: MAX_BYTES },
      description: 'Values for {{name}} in the prompt and the opening phrase',
      'x-max-bytes': MAX_BYTES,
    }),
  ),
  metadata: Maybe(FreeObject({ 'x-max-bytes': MAX_BYTES, 'x-max-depth': 10 })),
  expiresInSeconds: Maybe(
    Type.Integer({ minimum: 5, maximum: 3600, default: 60, description: 'Lifetime of the token' }),
  ),
})
export type NewWebCall = Static<typeof NewWebCall>

export const IceServer = Type.Object({
  urls: Type.Array(Type.String()),
  username: Type.Optional(Type.String()),
  credential: Type.Optional(Type.String()),
})

export const WebCall = Type.Object(
  {
    token: Type.String({ description: 'Single-use token for one call with this agent' }),
    expiresAt: Timestamp,
    agentId: Type.String(),
    socketPath: Type.String(),
    webrtcPath: Type.String(),
    iceServers: Type.Array(IceServer),
  },
  { title: 'WebCall' },
)
export type WebCall = Static<typeof WebCall>

export const Offer = Body({
  sdp: Type.String({ minLength: 1, maxLength: 65_536 }),
  isRestart: Maybe(Type.Boolean({ description: 'ICE restart of the call in progress with this token' })),
})
