// `ramal numbers release`: takes a DID from its user, so that its owner can register it.
import { didStore } from '../api/dids/store.ts'
import { type Command, required } from './command.ts'

export const numbersRelease: Command = {
  usage: 'numbers release NUMBER',
  summary: 'Take a DID from the user who registered it, so that its owner can',
  async run({ database, subject, print }) {
    const { phoneNumber, userId } = await didStore(database.db).release(required(subject, 'NUMBER'))
    print(`released ${phoneNumber}, which belonged to ${userId}; any user can register it now`)
  },
}
