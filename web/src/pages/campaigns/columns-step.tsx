// The wizard step for the list's columns: which one holds the number, the variable each becomes, and the agent's
// unfilled variables.
import { Code, Select, Stack, Table, Text } from '@mantine/core'
import type { Campaign } from '../../../../client/paths.ts'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { variableOf } from './column-variables.ts'
import type { ListSource } from './list-source.ts'
import { MissingVariables } from './missing-variables.tsx'
import { wizardTexts } from './wizard-texts.ts'

const AUTO = ''

export function ColumnsStep({
  campaign,
  source,
  onSource,
  agentId,
}: {
  campaign: Campaign | null
  source: ListSource | null
  onSource: (source: ListSource) => void
  agentId: string | null
}) {
  const t = useTexts(wizardTexts)
  const columns = source?.head?.columns ?? campaign?.columns ?? []
  const phoneColumn = source ? source.phoneColumn : (campaign?.phoneColumn ?? null)
  const isUnknown = source !== null && source.head === null
  return (
    <Section title={t.columnsTitle} about={t.columnsAbout}>
      <Stack gap="md">
        {isUnknown && <Text size="sm">{t.xlsxLater}</Text>}
        {!isUnknown && columns.length === 0 && (
          <Text size="sm" c="dimmed">
            {t.noList}
          </Text>
        )}
        {source?.head && (
          <Select
            label={t.phoneColumn}
            description={t.phoneColumnHint}
            maw={420}
            allowDeselect={false}
            data={[
              { value: AUTO, label: t.auto },
              ...[...new Set(columns)].filter((name) => name !== '').map((name) => ({ value: name, label: name })),
            ]}
            value={phoneColumn ?? AUTO}
            onChange={(value) => onSource({ ...source, phoneColumn: value || null })}
          />
        )}
        {columns.length > 0 && (
          <ColumnTable columns={columns} rows={source?.head?.rows ?? []} phoneColumn={phoneColumn} />
        )}
        {agentId && columns.length > 0 && <MissingVariables agentId={agentId} columns={columns} />}
      </Stack>
    </Section>
  )
}

function ColumnTable({
  columns,
  rows,
  phoneColumn,
}: {
  columns: readonly string[]
  rows: readonly string[][]
  phoneColumn: string | null
}) {
  const t = useTexts(wizardTexts)
  const hasExamples = rows.length > 0
  return (
    <Table.ScrollContainer
      minWidth={280}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': t.columnsTitle } }}
    >
      <Table verticalSpacing={8} aria-label={t.columnsTitle}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.column}</Table.Th>
            <Table.Th>{t.variable}</Table.Th>
            {hasExamples && <Table.Th>{t.example}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {columns.map((name, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a list may have one name
            <Table.Tr key={i}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {name}
                {name === phoneColumn && (
                  <Text span size="xs" c="dimmed" display="block">
                    {t.isNumber}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Variable name={variableOf(name, i)} />
              </Table.Td>
              {hasExamples && (
                <Table.Td c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                  {rows
                    .slice(0, 3)
                    .map((row) => row[i] ?? '')
                    .filter(Boolean)
                    .join(' · ')}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

const Variable = ({ name }: { name: string | null }) =>
  name === null ? '–' : <Code style={{ overflowWrap: 'anywhere', whiteSpace: 'normal' }}>{`{{${name}}}`}</Code>
