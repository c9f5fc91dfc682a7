// What a member of the organization needs for a route (base/domain/route-permissions.ts), and the refusal without it.
import type { Permission } from '../base/domain/organization-roles.ts'
import { routePermission } from '../base/domain/route-permissions.ts'
import { appError } from '../base/errors/errors.ts'
import { scopeOf } from './scopes.ts'

/** Called for each route at startup: a route without a row fails. */
export function permissionFor(method: string, url: string): Permission | null {
  if (scopeOf(url) === 'admin') return null // the platform's, not the organization's
  const permission = routePermission(method, url)
  if (permission === undefined)
    throw new Error(`No role is decided for ${method} ${url}: name its first word in base/domain/route-permissions.ts`)
  return permission
}

export function requirePermission(
  grant: { may: ReadonlySet<Permission>; memberRole: string | null },
  needed: Permission | null,
): void {
  if (needed === null || grant.may.has(needed)) return
  throw grant.memberRole === null
    ? appError('organization_none')
    : appError('role_missing', { permission: needed, role: grant.memberRole })
}
