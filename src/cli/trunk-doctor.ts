// `ramal trunk doctor`: tests a trunk from this machine and prints the cause of a problem and its fix.
import { trunkStore } from '../features/trunks/store.ts'
import { userStore } from '../features/users/store.ts'
import { diagnoseStandalone } from '../phone/diagnostics/standalone.ts'
import { dialPolicy } from '../phone/dial-policy.ts'
import { version } from '../version.ts'
import { type Command, required, UsageError } from './command.ts'

export const trunkDoctor: Command = {
  usage: 'trunk doctor TRUNK_ID [--echo NUMBER] [--user USER]',
  summary:
    'Find out what is wrong with a trunk, and how to fix it; --echo also tests audio by a call to an echo service',
  async run({ config, database, subject, options, secrets, print }) {
    const id = required(subject, 'TRUNK_ID')
    const userId = options.user && (await userStore(database.db).get(options.user)).id
    const all = await trunkStore(database.db, secrets()).all()
    const [trunk, other] = all.filter((each) => each.id === id && (!userId || each.userId === userId))
    if (!trunk) throw new UsageError(`there is no trunk ${id}`)
    if (other) throw new UsageError(`several users have a trunk ${id}: add --user USER`)
    const settings = { ...config.phone, dialPolicy: dialPolicy(config.calls.deniedPrefixes), name: `Ramal/${version}` }
    const report = await diagnoseStandalone(settings, trunk, { echoNumber: options.echo })
    for (const { name, status, detail } of report.checks) print(`${status.padEnd(8)} ${name.padEnd(15)} ${detail}`)
    if (report.ladder) print(`\n${report.ladder}`)
    print(report.sentence)
    return report.ok
  },
}
