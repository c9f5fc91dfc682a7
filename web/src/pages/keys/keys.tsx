// The API key list. A key is shown once, then identified by its prefix.
import { Badge, Button, Code, Group, Text } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { ApiKey } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { RelativeTime } from '../../components/date-time.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, QueryResult } from '../../components/query-states.tsx'
import { type Column, RecordTable } from '../../components/record-table.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { ConfirmButton, useAction } from '../../components/use-action.tsx'
import { LoadMore, usePages } from '../../components/use-pages.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useOrganization } from '../../organization.ts'
import { stateOf } from './key-form.ts'
import { keysTexts } from './keys-texts.ts'
import { NewKey } from './new-key.tsx'

/** The name that the server gives to the key it creates on first start. */
const FIRST_KEY = 'first key'

export function Keys() {
  const t = useTexts(keysTexts)
  const keys = usePages<ApiKey>('/api/api-keys')
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const make = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      {t.make}
    </Button>
  )
  return (
    <Page title={t.title} about={t.about} actions={keys.data?.length !== 0 && make}>
      <QueryResult query={keys}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={<IconKey aria-hidden />} title={t.emptyTitle} text={t.emptyText} action={make} />
          ) : (
            <KeyList rows={rows} />
          )
        }
      </QueryResult>
      <LoadMore pages={keys} />
      {isMaking && (
        <NewKey
          onClose={() => setMaking(false)}
          onCreated={(key) => {
            setMaking(false)
            setMade(key)
          }}
        />
      )}
      <SecretOnce
        title={t.madeTitle}
        secret={made}
        warning={t.madeWarning}
        doneLabel={t.madeDone}
        onClose={() => setMade(null)}
      >
        <div>
          <Text size="sm" mb={4}>
            {t.madeUse}
          </Text>
          <Code block tabIndex={0}>{`curl -H "X-Api-Key: …" ${location.origin}/api/agents`}</Code>
        </div>
      </SecretOnce>
    </Page>
  )
}

function KeyList({ rows }: { rows: ApiKey[] }) {
  const t = useTexts(keysTexts)
  const c = useTexts(commonTexts)
  const { run } = useAction()
  const revoke = ({ id }: ApiKey) =>
    run(() => unwrap(api.DELETE('/api/api-keys/{id}', { params: { path: { id } } })), {
      success: t.revoked,
      stale: ['/api/api-keys'],
    })
  const adopt = ({ id }: ApiKey) =>
    run(() => unwrap(api.POST('/api/api-keys/{id}/adopt', { params: { path: { id } } })), {
      success: t.adopted,
      stale: ['/api/api-keys'],
    })
  const { data: makers = [] } = queries.useQuery('get', '/api/api-keys/makers')
  const makerOf = (id: string) => makers.find(({ keyId }) => keyId === id)
  const isOwner = useOrganization()?.role === 'owner'
  const columns: Column<ApiKey>[] = [
    { name: t.name, cell: ({ name }) => <Text fw={600}>{name === FIRST_KEY ? t.firstKey : name}</Text> },
    { name: t.prefix, cell: ({ prefix }) => <Code>{prefix}…</Code> },
    {
      name: t.access,
      cell: ({ scopes, rateLimit }) => (
        <>
          {scopes ? (
            <Group gap={4}>
              {scopes.map((scope) => (
                <Badge key={scope} variant="default" tt="none" fw={500}>
                  {t.scope[scope]}
                </Badge>
              ))}
            </Group>
          ) : (
            <Text size="sm">{t.full}</Text>
          )}
          <Text size="xs" c="dimmed">
            {t.perMinute(rateLimit)}
          </Text>
        </>
      ),
    },
    {
      name: t.maker,
      cell: ({ id }) => {
        const maker = makerOf(id)
        if (!maker) return '–'
        return (
          <>
            <Text size="sm">{maker.name ?? '–'}</Text>
            {!maker.isMember && (
              <Text size="xs" c="var(--mantine-color-error)">
                {t.makerGone}
              </Text>
            )}
          </>
        )
      },
    },
    { name: t.lastUsed, cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} fallback={c.never} /> },
    { name: t.expires, cell: ({ expiresAt }) => <RelativeTime at={expiresAt} fallback={c.never} /> },
    {
      name: c.status,
      cell: (key) => {
        const state = stateOf(key)
        return <StatusBadge tone={state === 'active' ? 'good' : 'off'} word={t.state[state]} />
      },
    },
    {
      name: c.actions,
      isEnd: true,
      cell: (key) =>
        stateOf(key) !== 'revoked' && (
          <Group gap={4} justify="flex-end" wrap="nowrap">
            {isOwner && makerOf(key.id)?.isMember === false && (
              <ConfirmButton
                size="xs"
                color="ramal"
                aria-label={t.adoptNamed(key.name)}
                question={t.adoptQuestion(key.name)}
                warning={t.adoptText}
                confirm={t.adopt}
                onConfirm={() => adopt(key)}
              >
                {t.adopt}
              </ConfirmButton>
            )}
            <ConfirmButton
              size="xs"
              variant="subtle"
              aria-label={t.revokeNamed(key.name)}
              question={t.revokeQuestion(key.name)}
              warning={t.revokeWarning}
              confirm={t.revoke}
              onConfirm={() => revoke(key)}
            >
              {t.revoke}
            </ConfirmButton>
          </Group>
        ),
    },
  ]
  return <RecordTable label={t.title} rows={rows} columns={columns} keyOf={({ id }) => id} />
}
