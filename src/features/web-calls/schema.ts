// API schemas of web calls: the request, and the token that opens a call.
import { type Static, Type } from 'typebox'
import { Body, Example, FreeObject, Id, Maybe, Timestamp } from '../../http/schema.ts'
import { AgentDraft } from '../agents/schema.ts'

/** Both are part of the token, which must fit into a header through any proxy. */
const MAX_BYTES = 2048

export const NewWebCall = Body({
  agentId: Id('agt'),
  variables: Maybe(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: MAX_BYTES },
      description: 'Values for {{name}} in the prompt and the opening phrase',
      examples: [{ nome: 'Ana' }],
      'x-max-bytes': MAX_BYTES,
    }),
  ),
  metadata: Maybe(FreeObject({ 'x-max-bytes': MAX_BYTES, 'x-max-depth': 10 })),
  expiresInSeconds: Maybe(
    Type.Integer({ minimum: 5, maximum: 3600, default: 60, description: 'Lifetime of the token' }),
  ),
  draft: AgentDraft,
})
export type NewWebCall = Static<typeof NewWebCall>

export const IceServer = Type.Object({
  urls: Type.Array(Example('stun:voz.example.com.br:3478')),
  username: Type.Optional(Example('1772460309:web')),
  credential: Type.Optional(Example('b3V0cm8gc2VncmVkbw==')),
})

export const WebCall = Type.Object(
  {
    token: Example('eyJhZ2VudElkIjoi…', { description: 'Single-use token for one call with this agent' }),
    expiresAt: Timestamp,
    agentId: Id('agt'),
    socketPath: Example('/web-calls/audio'),
    webrtcPath: Example('/web-calls/webrtc'),
    iceServers: Type.Array(IceServer),
  },
  { title: 'WebCall' },
)
export type WebCall = Static<typeof WebCall>

export const Offer = Body({
  sdp: Type.String({ minLength: 1, maxLength: 65_536 }),
  isRestart: Maybe(Type.Boolean({ description: 'ICE restart of the call in progress with this token' })),
})
