// Who acts: the person of the request that is being served. What a request starts for others (a call, a job) is a fault
// owner of its own, and so has no actor.
import { currentOwner, type OnFault } from './errors/error-containment.ts'

export type Actor = {
  /** Who is signed in, or who made the key. */
  personId: string
  /** The API key or the session. */
  credentialId: string | null
  /** Truncated. */
  address: string | null
}

const actors = new WeakMap<OnFault, () => Actor | undefined>()

/** Everything that belongs to this fault owner is done by this actor. */
export const actAs = (owner: OnFault, actor: () => Actor | undefined): void => void actors.set(owner, actor)

export function currentActor(): Actor | undefined {
  const owner = currentOwner()
  return owner && actors.get(owner)?.()
}
