// The knowledge bases that an agent searches: attach, detach, or create one here.
import { Button, Group, Modal, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { KnowledgeBase, Tool } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { QueryResult } from '../../components/query-states.tsx'
import { Section } from '../../components/section.tsx'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { BaseFields, baseBody, emptyBase } from '../knowledge/base-fields.tsx'
import { knowledgeTexts } from '../knowledge/knowledge-texts.ts'
import type { AgentFormProps } from './agent-form.ts'
import { connectionsTexts } from './connections-texts.ts'
import { attachedBases, type DetachStep, detachSteps, toolFor } from './knowledge-links.ts'
import { AddLink, LinkList } from './link-list.tsx'

const stale = ['/api/agents', '/api/tools', '/api/knowledge-bases']

export function KnowledgeTab({ agent }: AgentFormProps) {
  const t = useTexts(connectionsTexts)
  const { isPending, run } = useAction()
  const [isOpen, { open, close }] = useDisclosure(false)
  const mine = useSearchTools(agent.id)
  const bases = queries.useQuery('get', '/api/knowledge-bases')
  const links = useKnowledgeLinks(agent.id)
  const attached = attachedBases(mine.data ?? [])
  const others = (bases.data ?? []).filter(({ id }) => !attached.has(id))
  const attach = (base: KnowledgeBase) => run(() => links.attach(base), { success: t.attached, stale })
  const detach = (base: KnowledgeBase) => run(() => links.detach(base, mine.data ?? []), { success: t.detached, stale })
  return (
    <Section
      title={t.knowledge}
      about={t.knowledgeAbout}
      actions={
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
          {t.newBase}
        </Button>
      }
    >
      <QueryResult query={mine}>
        {() => (
          <LinkList
            label={t.knowledge}
            isPending={isPending}
            none={bases.data?.length === 0 ? t.noBasesExist : t.noBases}
            onUnlink={(id) => {
              const base = bases.data?.find((one) => one.id === id)
              if (base) void detach(base)
            }}
            rows={(bases.data ?? [])
              .filter(({ id }) => attached.has(id))
              .map(({ id, name, description, documentCount }) => ({
                id,
                name,
                at: `/knowledge/${id}`,
                about: [t.documents(documentCount), description].filter(Boolean).join(' · '),
              }))}
          />
        )}
      </QueryResult>
      {others.length > 0 && (
        <AddLink
          label={t.addBase}
          placeholder={t.chooseBase}
          choices={others.map(({ id, name }) => ({ value: id, label: name }))}
          isPending={isPending}
          onAdd={async (id) => {
            const base = others.find((one) => one.id === id)
            if (base) await attach(base)
          }}
        />
      )}
      <NewBase isOpen={isOpen} onClose={close} onMade={attach} />
    </Section>
  )
}

/** The agent's search tools with their settings, which the list omits. */
const useSearchTools = (id: string) =>
  useQuery({
    queryKey: ['get', '/api/agents/{id}/tools', id, 'query'],
    queryFn: async () => {
      const tools = await unwrap(api.GET('/api/agents/{id}/tools', { params: { path: { id } } }))
      return Promise.all(tools.filter(({ type }) => type === 'query').map((tool) => toolById(tool.id)))
    },
  })

const toolById = (id: string) => unwrap(api.GET('/api/tools/{id}', { params: { path: { id } } }))
const usersOf = (id: string) => unwrap(api.GET('/api/knowledge-bases/{id}/tools', { params: { path: { id } } }))

/** An agent searches a base through a tool, which is created, shared and removed here without involving the user. */
function useKnowledgeLinks(agentId: string) {
  const t = useTexts(knowledgeTexts)
  const link = (id: string) =>
    unwrap(api.POST('/api/tools/{id}/agents/{agentId}', { params: { path: { id, agentId } } }))
  const unlink = (id: string) =>
    unwrap(api.DELETE('/api/tools/{id}/agents/{agentId}', { params: { path: { id, agentId } } }))
  const newTool = (name: string, description: string, knowledgeBaseIds: string[]) =>
    unwrap(
      api.POST('/api/tools', {
        body: { name: name.slice(0, 255), description, type: 'query', config: { knowledgeBaseIds } },
      }),
    )
  async function apply(step: DetachStep, tools: readonly Tool[]): Promise<void> {
    const path = { params: { path: { id: step.toolId } } }
    const tool = tools.find(({ id }) => id === step.toolId)
    if (step.do === 'delete') await unwrap(api.DELETE('/api/tools/{id}', path))
    if (step.do === 'narrow') {
      const config = { ...tool?.config, knowledgeBaseIds: step.baseIds }
      await unwrap(api.PATCH('/api/tools/{id}', { ...path, body: { config } }))
    }
    if (step.do === 'split') {
      const own = await newTool(tool?.name ?? t.title, tool?.description ?? '', step.baseIds)
      await link(own.id)
    }
    if (step.do === 'split' || step.do === 'unlink') await unlink(step.toolId)
  }
  return {
    async attach({ id, name }: KnowledgeBase): Promise<void> {
      const existing = toolFor(id, await Promise.all((await usersOf(id)).map((tool) => toolById(tool.id))))
      const tool = existing ?? (await newTool(t.toolName(name), t.toolDescription(name), [id]))
      await link(tool.id)
    },
    async detach({ id, name }: KnowledgeBase, tools: readonly Tool[]): Promise<void> {
      const users = await usersOf(id)
      const ownNames = [knowledgeTexts.pt, knowledgeTexts.en, knowledgeTexts.es].map((one) => one.toolName(name))
      for (const step of detachSteps({ baseId: id, agentId, tools, users, ownNames })) await apply(step, tools)
    },
  }
}

function NewBase({
  isOpen,
  onClose,
  onMade,
}: {
  isOpen: boolean
  onClose: () => void
  onMade: (base: KnowledgeBase) => Promise<boolean>
}) {
  const t = { ...useTexts(commonTexts), ...useTexts(knowledgeTexts), ...useTexts(connectionsTexts) }
  const { isPending, run } = useAction()
  const [value, setValue] = useState(emptyBase)
  const [problem, setProblem] = useState<string | null>(null)
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (value.name.trim() === '') return setProblem(t.nameNeeded)
    const isDone = await run(async () => {
      await onMade(await unwrap(api.POST('/api/knowledge-bases', { body: baseBody(value) })))
    })
    if (!isDone) return
    setValue(emptyBase)
    onClose()
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title={t.newBase} size="lg" closeButtonProps={{ 'aria-label': t.close }}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <BaseFields
            value={value}
            problem={problem}
            onChange={(next) => {
              setValue(next)
              setProblem(null)
            }}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {t.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
