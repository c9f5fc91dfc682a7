// What a visitor's browser sends and receives. The response schemas drop every other field.
import { type Static, Type } from 'typebox'
import { Body, Text } from '../../http/schema.ts'
import { IceServer } from '../web-calls/schema.ts'
import { Widget } from './schema.ts'

export const MAX_TEXT = 2000

export const ByWidget = Type.Object({ id: Type.String() })

export const VisitorConfig = Type.Object({
  channels: Widget.properties.channels,
  ...Widget.properties.appearance.properties,
  maxCallSeconds: Type.Integer(),
  maxText: Type.Integer(),
})
export type VisitorConfig = Static<typeof VisitorConfig>

export const VisitorCall = Type.Object({
  token: Type.String(),
  expiresAt: Type.String(),
  socketPath: Type.String(),
  webrtcPath: Type.String(),
  iceServers: Type.Array(IceServer),
})
export type VisitorCall = Static<typeof VisitorCall>

export const VisitorChat = Type.Object({ token: Type.String(), expiresAt: Type.String() })

export const VisitorText = Body({ text: Text(MAX_TEXT) })

export const VisitorMessage = Type.Object({ who: Type.String(), text: Type.String(), at: Type.String() })
export type VisitorMessage = Static<typeof VisitorMessage>

export const VisitorMessages = Type.Object({ messages: Type.Array(VisitorMessage) })
