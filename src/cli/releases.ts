// `ramal numbers release` and `ramal addresses release`: take a DID or a carrier's address from the users who hold it.
import { isIPv6, SocketAddress } from 'node:net'
import { didStore } from '../features/numbers/store.ts'
import { trunkStore } from '../features/trunks/store.ts'
import { plainAddress } from '../phone/address-set.ts'
import { type Command, required, UsageError } from './command.ts'

export const numbersRelease: Command = {
  usage: 'numbers release NUMBER',
  summary: 'Take a DID from the user who registered it, so that its owner can',
  async run({ database, subject, print }) {
    const { phoneNumber, userId } = await didStore(database.db).release(required(subject, 'NUMBER'))
    print(`released ${phoneNumber}, which belonged to ${userId}; any user can register it now`)
  },
}

/** In the notation of stored addresses. */
function addressOf(text: string): string {
  try {
    return plainAddress(new SocketAddress({ address: text, family: isIPv6(text) ? 'ipv6' : 'ipv4' }).address)
  } catch {
    throw new UsageError(`${text} is not an IP address`)
  }
}

export const addressesRelease: Command = {
  usage: 'addresses release ADDRESS',
  summary: "Take a carrier's address from the users who have proved it, so that it excludes nobody",
  async run({ database, secrets, subject, print }) {
    const address = addressOf(required(subject, 'ADDRESS'))
    const released = await trunkStore(database.db, secrets()).releaseAddress(address)
    if (released.length === 0) throw new Error(`no trunk has proved ${address}`)
    for (const { userId, trunkId } of released) print(`released ${address} from trunk ${trunkId} of ${userId}`)
  },
}
