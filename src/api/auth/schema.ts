// Signing in, on the wire.
import { type Static, Type } from 'typebox'
import { Body, Nullable } from '../../http/schema.ts'

const Email = Type.String({ maxLength: 320 })
/** Looser than a password may be: what is too long or too short is simply wrong, or refused in words of its own. */
const Password = Type.String({ maxLength: 1024 })

export const SessionState = Type.Object({
  needsSetup: Type.Boolean(),
  needsSetupCode: Type.Boolean(),
  user: Nullable(Type.Object({ id: Type.String(), name: Type.String(), email: Nullable(Type.String()) })),
  csrfToken: Nullable(Type.String()),
})
export type SessionState = Static<typeof SessionState>

export const SetupBody = Body({
  email: Email,
  password: Password,
  setupCode: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
})

export const LoginBody = Body({
  email: Type.Optional(Email),
  password: Type.Optional(Password),
  apiKey: Type.Optional(Type.String({ maxLength: 512 })),
})

export const PasswordBody = Body({ currentPassword: Password, newPassword: Password })
