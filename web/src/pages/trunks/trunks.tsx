// The trunk list with live status.
import { Button, Group } from '@mantine/core'
import { IconPlus, IconRouteAltLeft } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { Trunk } from '../../../../client/paths.ts'
import { api, queries, unwrap } from '../../api.ts'
import { dim, ShortTime, StatusText } from '../../components/list/list-cells.tsx'
import { listTexts } from '../../components/list/list-texts.ts'
import type { ListView } from '../../components/list/list-types.ts'
import { RecordList } from '../../components/list/record-list.tsx'
import { useBulk } from '../../components/list/use-bulk.tsx'
import { useListAddress } from '../../components/list/use-list-address.ts'
import { useLocalRows } from '../../components/list/use-local-rows.ts'
import { Page } from '../../components/page.tsx'
import { EmptyState } from '../../components/query-states.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { NewTrunk } from './new-trunk.tsx'
import { trunkRemoval, useTrunkMenu } from './trunk-menu.tsx'
import { addressOf, directionOf, toneOf } from './trunk-state.ts'
import { trunksTexts } from './trunks-texts.ts'

const statuses = Object.keys(toneOf)
const fields = [{ key: 'status', values: statuses }]
const sorts = ['name', 'status', 'lastSeenAt']
const rules = {
  textsOf: ({ name, host, username }: Trunk) => [name, host, username],
  valueOf: (trunk: Trunk, key: string) => trunk[key as 'name'],
}
const nameOf = ({ name }: Trunk) => name

export function Trunks() {
  const t = useTexts(trunksTexts)
  const c = useTexts(commonTexts)
  const l = useTexts(listTexts)
  const used = useListAddress(fields, sorts)
  const trunks = queries.useQuery('get', '/api/trunks', {}, { refetchInterval: 15_000 })
  const source = useLocalRows(trunks, used.address, rules)
  const view = useTrunksView()
  const [isMaking, setMaking] = useState(false)
  const make = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      {t.make}
    </Button>
  )
  return (
    <Page title={t.title} about={t.about} actions={trunks.data?.length !== 0 && make}>
      <RecordList
        view={view}
        used={used}
        source={source}
        searchLabel={t.search}
        inputs={[
          {
            kind: 'choice',
            key: 'status',
            label: c.status,
            placeholder: l.anyShe,
            options: (Object.keys(t.status) as Trunk['status'][]).map((value) => ({ value, label: t.status[value] })),
          },
        ]}
        nouns={t.count}
        empty={
          <EmptyState
            icon={<IconRouteAltLeft aria-hidden />}
            title={t.emptyTitle}
            text={t.emptyText}
            action={
              <Group justify="center">
                {make}
                <Button component={Link} href="/devices" variant="default">
                  {t.toDevices}
                </Button>
              </Group>
            }
          />
        }
      />
      {isMaking && <NewTrunk onClose={() => setMaking(false)} />}
    </Page>
  )
}

function useTrunksView(): ListView<Trunk> {
  const t = useTexts(trunksTexts)
  const c = useTexts(commonTexts)
  const menu = useTrunkMenu()
  const bulk = useBulk<Trunk>({
    nameOf,
    removal: trunkRemoval,
    stale: ['/api/trunks'],
    isActive: ({ isActive }) => isActive,
    setActive: ({ id }, isActive) =>
      unwrap(api.PATCH('/api/trunks/{id}', { params: { path: { id } }, body: { isActive } })),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions change with every drawing, what they do does not
  return useMemo((): ListView<Trunk> => {
    const status = ({ status }: Trunk) => <StatusText tone={toneOf[status]} word={t.status[status]} />
    return {
      name: 'trunks',
      label: t.title,
      nameOf,
      bulk,
      menu: (trunk) => menu(trunk),
      openAt: ({ id }) => `/trunks/${id}`,
      columns: [
        {
          key: 'name',
          name: t.name,
          width: 'minmax(0, 1.4fr)',
          cell: nameOf,
          csv: nameOf,
          sort: { by: 'name', first: 'asc' },
        },
        {
          key: 'status',
          name: c.status,
          width: 'minmax(8rem, 1fr)',
          cell: status,
          csv: ({ status }) => t.status[status],
          sort: { by: 'status', first: 'asc' },
        },
        {
          key: 'place',
          name: t.place,
          width: 'minmax(0, 1.6fr)',
          cell: (trunk) => dim(addressOf(trunk) ?? t.noPlace),
          csv: addressOf,
        },
        {
          key: 'auth',
          name: t.way,
          width: 'minmax(0, 1fr)',
          from: 800,
          cell: ({ authMode }) => dim(t.auth[authMode]),
          csv: ({ authMode }) => t.auth[authMode],
        },
        {
          key: 'directions',
          name: t.directions,
          width: 'minmax(0, 1fr)',
          from: 720,
          cell: ({ directions }) => dim(t.direction[directionOf(directions)]),
          csv: ({ directions }) => t.direction[directionOf(directions)],
        },
        {
          key: 'lastSeen',
          name: t.lastSeen,
          width: 'minmax(0, 1fr)',
          isEnd: true,
          isTime: true,
          cell: ({ lastSeenAt }) => <ShortTime at={lastSeenAt} fallback={c.never} />,
          csv: ({ lastSeenAt }) => lastSeenAt && new Date(lastSeenAt),
          sort: { by: 'lastSeenAt', first: 'desc' },
        },
      ],
      card: (trunk) => ({
        title: trunk.name,
        aside: status(trunk),
        line: addressOf(trunk) ?? t.noPlace,
        end: t.direction[directionOf(trunk.directions)],
      }),
    }
  }, [t, c])
}
