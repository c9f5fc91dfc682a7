// The organization that this tab works in, and what its member may do there. Each tab keeps its own.
import { useCallback, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import type { Permission } from '../../src/base/domain/organization-roles.ts'
import { changeOfPage, permissionsOfLink, removalOnPage } from './page-permissions.ts'
import type { Session } from './session.tsx'

export type Organization = Session['organizations'][number]

const KEY = 'organization'
let personId: string | null = null
let organizations: readonly Organization[] = []
let current: Organization | null = null
const listeners = new Set<() => void>()
const changeListeners = new Set<() => void>()
const lossListeners = new Set<(name: string) => void>()

const memory = {
  read: (): string | null => {
    try {
      return sessionStorage.getItem(KEY)
    } catch {
      return null
    }
  },
  write: (id: string): void => {
    try {
      sessionStorage.setItem(KEY, id)
    } catch {
      // Storage is blocked: the tab still keeps its organization until it is reloaded.
    }
  },
}

function setCurrent(next: Organization | null): void {
  if (next) memory.write(next.id)
  if (next?.id !== current?.id) for (const drop of changeListeners) drop()
  current = next
  for (const listener of listeners) listener()
}

/** Called with each session that the server returns. */
export function setMemberships({ user, organizations: all, organizationId }: Session): void {
  // The page keeps what it shows while the person signs in again over it.
  if (!user) return
  const before = user.id === personId ? current : null
  personId = user.id
  organizations = all
  const wanted = [before?.id, memory.read(), organizationId]
  const found = wanted.map((id) => all.find((one) => one.id === id)).find((one) => one !== undefined)
  setCurrent(found ?? all[0] ?? null)
  if (before && before.id !== current?.id) for (const tell of lossListeners) tell(before.name)
}

/** Returns whether the person is a member of it. */
export function chooseOrganization(id: string | null): boolean {
  const chosen = organizations.find((one) => one.id === id)
  if (chosen) setCurrent(chosen)
  return chosen !== undefined
}

/** `drop` runs before the tab changes its organization. */
export const beforeOrganizationChange = (drop: () => void): unknown => changeListeners.add(drop)

/** `tell` gets the name of an organization of which the person is no longer a member. */
export function onOrganizationLoss(tell: (name: string) => void): () => void {
  lossListeners.add(tell)
  return () => void lossListeners.delete(tell)
}

/** Required on every request, so that two tabs never mix (see api.ts). */
export const organizationHeader = (): Record<string, string> => (current ? { 'x-organization': current.id } : {})

/** For addresses that the browser loads itself, without our headers. */
export const withOrganization = (address: string): string =>
  current ? `${address}${address.includes('?') ? '&' : '?'}organization=${encodeURIComponent(current.id)}` : address

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Null: the person is not a member of any organization. */
export const useOrganization = (): Organization | null => useSyncExternalStore(subscribe, () => current)
export const useOrganizations = (): readonly Organization[] => useSyncExternalStore(subscribe, () => organizations)

/** Null is permitted to everybody. */
export const isPermitted = (organization: Organization | null, permission: Permission | null): boolean =>
  permission === null || (organization?.permissions.includes(permission) ?? false)

export const useMay = (permission: Permission | null): boolean => isPermitted(useOrganization(), permission)

/** Whether the person may change the records of the page that is shown. */
export const useMayChange = (): boolean => useMay(changeOfPage(useLocation()[0]))
export const useMayRemove = (): boolean => useMay(removalOnPage(useLocation()[0]))

/** Whether a link to an address is shown. */
export function useMayOpen(): (to: string) => boolean {
  const organization = useOrganization()
  return useCallback((to) => permissionsOfLink(to).every((one) => isPermitted(organization, one)), [organization])
}
