// The API keys: made once and copied, then known by their beginning; revoked for good.
import { Badge, Button, Code, Group, Text } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { ApiKey } from '../../../../client/paths.ts'
import { api, done } from '../../api.ts'
import { common } from '../../i18n/common.ts'
import { useWords } from '../../i18n/words.tsx'
import { ConfirmButton, useAction } from '../../parts/doing.tsx'
import { Page } from '../../parts/page.tsx'
import { More, usePaged } from '../../parts/paged.tsx'
import { type Column, RecordTable } from '../../parts/record-table.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { Empty, Reading } from '../../parts/states.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { When } from '../../parts/when.tsx'
import { stateOf } from './key-form.ts'
import { keysWords } from './keys-words.ts'
import { NewKey } from './new-key.tsx'

export function Keys() {
  const t = useWords(keysWords)
  const keys = usePaged<ApiKey>('/api/api-keys')
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const make = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      {t.make}
    </Button>
  )
  return (
    <Page title={t.title} about={t.about} actions={keys.data?.length !== 0 && make}>
      <Reading of={keys}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={<IconKey aria-hidden />} title={t.emptyTitle} text={t.emptyText} action={make} />
          ) : (
            <KeyList rows={rows} />
          )
        }
      </Reading>
      <More of={keys} />
      {isMaking && (
        <NewKey
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false)
            setMade(key)
          }}
        />
      )}
      <ShownOnce
        title={t.madeTitle}
        secret={made}
        warning={t.madeWarning}
        doneWord={t.madeDone}
        onClose={() => setMade(null)}
      >
        <div>
          <Text size="sm" mb={4}>
            {t.madeUse}
          </Text>
          <Code block tabIndex={0}>{`curl -H "X-Api-Key: …" ${location.origin}/api/agents`}</Code>
        </div>
      </ShownOnce>
    </Page>
  )
}

function KeyList({ rows }: { rows: ApiKey[] }) {
  const t = useWords(keysWords)
  const c = useWords(common)
  const { run } = useAction()
  const revoke = ({ id }: ApiKey) =>
    run(() => done(api.DELETE('/api/api-keys/{id}', { params: { path: { id } } })), {
      success: t.revoked,
      stale: ['/api/api-keys'],
    })
  const columns: Column<ApiKey>[] = [
    { name: t.name, cell: ({ name }) => <Text fw={600}>{name}</Text> },
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
    { name: t.lastUsed, cell: ({ lastUsedAt }) => <When at={lastUsedAt} otherwise={c.never} /> },
    { name: t.expires, cell: ({ expiresAt }) => <When at={expiresAt} otherwise={c.never} /> },
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
        ),
    },
  ]
  return <RecordTable label={t.title} rows={rows} columns={columns} keyOf={({ id }) => id} />
}
