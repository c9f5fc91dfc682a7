// The actions that an administrator has on a user. Pure.
import type { User } from '../../../../client/paths.ts'

export const userActions = ['makeAdmin', 'makeMember', 'enable', 'disable', 'passwordLink', 'removeFactor'] as const
export type UserAction = (typeof userActions)[number]

/** No actions on their own account, so that administrators cannot lock themselves out; the server rejects that too. */
export function actionsOn(user: User, ownId: string | undefined): UserAction[] {
  if (user.id === ownId) return []
  if (!user.isActive) return ['enable']
  return [
    user.role === 'admin' ? 'makeMember' : 'makeAdmin',
    ...(user.email === null ? [] : (['passwordLink'] as const)),
    ...(user.hasSecondFactor ? (['removeFactor'] as const) : []),
    'disable',
  ]
}

export const isDangerous = (action: UserAction): boolean => action === 'disable' || action === 'removeFactor'

/** The PATCH body of an action; null if the action has its own endpoint. */
export function patchOf(action: UserAction): { role?: User['role']; isActive?: boolean } | null {
  if (action === 'makeAdmin') return { role: 'admin' }
  if (action === 'makeMember') return { role: 'member' }
  if (action === 'enable' || action === 'disable') return { isActive: action === 'enable' }
  return null
}
