// API schemas of saved rehearsals.
import { type Static, Type } from 'typebox'
import { Body, Example, exampleId, Id, Maybe, Nullable, Text, Timestamp } from '../../http/schema.ts'
import { ComparedTurn, ListedRehearsal, Script } from './schema.ts'

const name = Text(255, { examples: ['Marcar consulta'] })
const agentId = Type.String({ minLength: 1, maxLength: 64, examples: [exampleId('agt')] })
const script = {
  ...Script,
  description: 'Steps, tool results and expectations, as for POST /api/rehearsals',
  examples: [{ steps: [{ says: 'Quero marcar uma consulta.' }], expect: [{ said: { contains: 'especialidade' } }] }],
}

const listed = {
  id: Id('rhs'),
  name: Example('Marcar consulta'),
  agentId: Id('agt'),
  callId: Nullable(
    Id('cal', { examples: [null], description: 'The call whose caller it repeats; deleted together with that call' }),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const ListedScript = Type.Object(
  { ...listed, lastRun: Nullable(ListedRehearsal) },
  { title: 'ListedRehearsalScript' },
)
export type ListedScript = Static<typeof ListedScript>

export const SavedScript = Type.Object({ ...listed, script }, { title: 'RehearsalScript' })
export type SavedScript = Static<typeof SavedScript>

export const NewScript = Body({ name, agentId, script })
export type NewScript = Static<typeof NewScript>

export const ScriptPatch = Body({
  name: Type.Optional(name),
  agentId: Type.Optional(agentId),
  script: Type.Optional(script),
  isKept: Type.Optional(Type.Boolean({ description: 'true: keep it when the call that it was made from is deleted' })),
})
export type ScriptPatch = Static<typeof ScriptPatch>

export const ScriptOfCall = Body({
  callId: Type.String({ minLength: 1, maxLength: 64, examples: ['019a8c1e-7d3f-7b20-9c41-5e6f7a8b9c0d'] }),
  name: Maybe(name),
})
export type ScriptOfCall = Static<typeof ScriptOfCall>

export const NewRun = Body({
  agentId: Maybe({ ...agentId, description: 'Another agent than the one it was saved for' }),
})

export const ScriptQuery = Type.Object({ agentId: Type.Optional(Type.String({ maxLength: 64 })) })

export const RunScript = Type.Object(
  { scriptId: Nullable(Id('rhs')), script: Nullable(script) },
  { title: 'RehearsalRunScript' },
)

export const ComparisonQuery = Type.Object({
  with: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Id of the other run; required',
      examples: [exampleId('reh')],
    }),
  ),
})
export const Comparison = Type.Object({ comparison: Type.Array(ComparedTurn) }, { title: 'RehearsalComparison' })
