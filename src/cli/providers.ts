// `ramal providers …`: list, test, add and remove provider accounts. A key is read from standard input and never printed.
import { type ProviderKind, providerKinds } from '../base/domain/provider-kinds.ts'
import { notFound } from '../base/errors/errors.ts'
import { ownAddresses, ownListeners } from '../base/outside/own-listeners.ts'
import { createLog } from '../base/process/log.ts'
import { createBreakers } from '../failover/breakers.ts'
import { agentStore } from '../features/agents/store.ts'
import { providerAccounts } from '../features/providers/accounts.ts'
import { accountConnections } from '../features/providers/connections.ts'
import { environmentAccounts, environmentInUse } from '../features/providers/environment-accounts.ts'
import type { Viewer } from '../features/providers/routes.ts'
import type { NewProvider, Provider, ProviderTest } from '../features/providers/schema.ts'
import { providerStore, requireVendor } from '../features/providers/store.ts'
import { userStore } from '../features/users/store.ts'
import { modelFile } from '../llm/model-file.ts'
import { type Command, type CommandContext, columns, confirmed, required, UsageError } from './command.ts'
import { firstLine, promptHidden } from './secret-input.ts'

/** Acts for the accounts of the environment, which belong to no user. */
const operator: Viewer = { userId: '', role: 'admin' }

export const providerCommands: Record<string, Command> = {
  'providers list': {
    usage: 'providers list [--user USER]',
    summary: 'List the provider accounts of the environment and of users; keys are not shown',
    run: (context) =>
      withAccounts(context, async ({ accounts, users }) => {
        const { options, print } = context
        for (const account of await accounts.list(operator, {}))
          if (account.source === 'environment' && !options.user) print(lineOf(account, 'environment'))
        const listed = options.user ? [await users.get(options.user)] : await users.list()
        for (const { id: userId, name, role } of listed)
          for (const account of await accounts.list({ userId, role }, {}))
            if (account.source === 'own') print(lineOf(account, name))
      }),
  },
  'providers test': {
    usage: 'providers test ID',
    summary: 'Test an account from this machine: the time to its first token, word or sound, or what is wrong',
    run: (context) =>
      withAccounts(context, async ({ accounts, viewerOf }) => {
        const id = required(context.subject, 'ID')
        const result = await accounts.test(await viewerOf(id), id)
        context.print(resultOf(result))
        return result.isOk
      }),
  },
  'providers add': {
    usage:
      'providers add VENDOR --user USER [--kind llm|stt|tts|embeddings] [--model MODEL] [--base-url URL] [--name NAME] [--shared]',
    summary: 'Add an account; prompts for its key, or reads one line of standard input',
    run: (context) =>
      withAccounts(context, async ({ accounts, users }) => {
        const { options, subject, print } = context
        const vendor = required(subject, 'VENDOR') as NewProvider['vendor']
        const kind = kindOf(options.kind ?? 'llm')
        const { needsKey } = requireVendor(kind, vendor)
        const { id: userId, role } = await users.get(required(options.user, '--user'))
        const apiKey = await keyFrom(needsKey)
        const { model, name, 'base-url': baseUrl, shared } = options
        const account = await accounts.create(
          { userId, role },
          { kind, vendor, model, name, baseUrl, apiKey, ...(shared ? { isShared: true } : {}) },
        )
        print(`${account.id}  ${account.kind}  ${account.name}  ${account.model || '-'}`)
      }),
  },
  'providers remove': {
    usage: 'providers remove ID --yes',
    summary: 'Remove an account; agents that named it use their next one',
    run: (context) =>
      withAccounts(context, async ({ accounts, viewerOf }) => {
        const id = required(context.subject, 'ID')
        const viewer = await viewerOf(id)
        const { name } = await accounts.get(viewer, id)
        confirmed(context.options, `this removes ${name} (${id})`)
        const { agents, next } = await accounts.remove(viewer, id)
        const instead = next ? `; used instead: ${next.name}` : ''
        context.print(`removed ${name}; agents that named it: ${agents}${instead}`)
      }),
  },
}

type Opened = {
  accounts: ReturnType<typeof providerAccounts>
  users: ReturnType<typeof userStore>
  /** The owner of an account, for whom the operator acts. */
  viewerOf(id: string): Promise<Viewer>
}

/** The platform may be running: a change takes effect with the next call. */
async function withAccounts<T>(context: CommandContext, work: (opened: Opened) => Promise<T>): Promise<T> {
  const { config, database, secrets } = context
  const users = userStore(database.db)
  const providers = providerStore(database.db, secrets())
  const environment = environmentAccounts(config)
  const own = ownListeners(ownAddresses(config, () => config.http))
  const connections = accountConnections({ allowedNetworks: config.allowedNetworks, own })
  const breakers = createBreakers()
  const path = config.llm.modelFile
  const file = path === null ? undefined : modelFile({ path, log: createLog('error', process.stderr) }) // loaded by a test
  const accounts = providerAccounts({
    providers,
    connections,
    environment,
    breakers,
    environmentInUse: environmentInUse(config),
    modelFile: file?.interactive,
    agentsNaming: agentStore(database.db).countNaming,
  })
  async function viewerOf(id: string): Promise<Viewer> {
    if (environment.some((each) => each.id === id)) return operator
    for (const { id: userId, role } of await users.list())
      if ((await providers.own(userId)).some((account) => account.id === id)) return { userId, role }
    throw notFound('Provider')
  }
  try {
    return await work({ accounts, users, viewerOf })
  } finally {
    breakers.close()
    await file?.close()
    await connections.close()
  }
}

const lineOf = ({ id, kind, vendor, name, model, hasKey, isDefault, isShared, source }: Provider, owner: string) =>
  columns(
    ...[id, kind, vendor, name, model || '-', owner, hasKey ? 'key' : 'no key'],
    isDefault ? 'default' : null,
    isShared && source === 'own' ? 'shared' : null,
  )

function resultOf({ isOk, firstMs, heard, message, vendorMessage }: ProviderTest): string {
  if (isOk) return `works: ${firstMs} ms${heard ? `, heard “${heard}”` : ''}`
  const parts = [message, vendorMessage && `the vendor says: ${vendorMessage}`, heard && `heard “${heard}”`]
  return parts.filter(Boolean).join('; ')
}

function kindOf(text: string): ProviderKind {
  const kind = providerKinds.find((each) => each === text)
  if (!kind) throw new UsageError(`${text} is not a kind; the kinds are ${providerKinds.join(', ')}`)
  return kind
}

/** An empty line means no key, which some servers do not need. */
async function keyFrom(isNeeded: boolean): Promise<string | null> {
  const { stdin: input, stdout: output } = process
  const question = isNeeded ? 'Key: ' : 'Key (empty: none): '
  const given = input.isTTY ? await promptHidden({ input, output }, question, 'key') : await firstLine(input, 'key')
  const key = given.trim()
  if (!/^[\x21-\x7e]{0,1000}$/.test(key)) throw new Error('a key has no spaces')
  return key || null
}
