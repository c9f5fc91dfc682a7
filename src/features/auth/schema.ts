// API schemas of sign-in.
import { type Static, Type } from 'typebox'
import { memberRoles } from '../../base/domain/organization-roles.ts'
import { Body, Choice, Nullable } from '../../http/schema.ts'

const Email = Type.String({ maxLength: 320 })
/** Looser than the rules for a new password: a wrong length is just a wrong password, or has its own error message. */
const Password = Type.String({ maxLength: 1024 })
/** An app code or a recovery code, as typed. */
const Code = Type.String({ maxLength: 64 })

export const SessionState = Type.Object({
  needsSetup: Type.Boolean(),
  needsSetupCode: Type.Boolean(),
  user: Nullable(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      email: Nullable(Type.String()),
      role: Choice(['admin', 'member']),
    }),
  ),
  csrfToken: Nullable(Type.String()),
  /** The organizations of the person, and the one that the page shows first. */
  organizations: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      role: Choice([...memberRoles]),
      permissions: Type.Array(Type.String()),
    }),
  ),
  organizationId: Nullable(Type.String()),
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
  code: Type.Optional(Nullable(Code)),
  apiKey: Type.Optional(Type.String({ maxLength: 512 })),
})
export type LoginBody = Static<typeof LoginBody>

export const OrganizationBody = Body({ organizationId: Type.String({ maxLength: 100 }) })

export const PasswordBody = Body({ currentPassword: Password, newPassword: Password })

/** One of the user's own sessions. Its id is not a credential. */
export const SessionRecord = Type.Object({
  id: Type.String(),
  createdAt: Type.String(),
  lastUsedAt: Type.String(),
  expiresAt: Type.String(),
  device: Nullable(Type.String()),
  address: Nullable(Type.String()),
  method: Type.Union([Type.Literal('password'), Type.Literal('apiKey')]),
  isCurrent: Type.Boolean(),
})
export type SessionRecord = Static<typeof SessionRecord>

export const SecondFactorState = Type.Object({
  isOn: Type.Boolean(),
  since: Nullable(Type.String()),
  recoveryCodesLeft: Type.Integer(),
})

export const BegunSecondFactor = Type.Object({
  secret: Type.String(),
  otpauthUrl: Type.String(),
  qrSvg: Type.String(),
})

export const RecoveryCodes = Type.Object({ recoveryCodes: Type.Array(Type.String()) })

export const BeginBody = Body({ password: Password })
export const ConfirmBody = Body({ code: Code })
export const RemoveBody = Body({ password: Password, code: Code })
