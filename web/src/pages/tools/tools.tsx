// The tool list, grouped by purpose.
import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconTool } from '@tabler/icons-react'
import { Link } from 'wouter'
import { queries } from '../../api.ts'
import { Page } from '../../components/page.tsx'
import { EmptyState, QueryResult } from '../../components/query-states.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { NewTool } from './new-tool.tsx'
import { type ToolType, typeGroups } from './tool-types.ts'
import styles from './tools.module.css'
import { toolsTexts } from './tools-texts.ts'
import { TypeIcon } from './type-icon.tsx'

export function Tools() {
  const t = useTexts(toolsTexts)
  const tools = queries.useQuery('get', '/api/tools')
  const [isOpen, { open, close }] = useDisclosure(false)
  const make = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {t.make}
    </Button>
  )
  return (
    <Page title={t.title} about={t.about} actions={tools.data?.length !== 0 && make}>
      <QueryResult query={tools}>
        {(rows) => {
          if (rows.length === 0)
            return <EmptyState icon={<IconTool aria-hidden />} title={t.emptyTitle} text={t.emptyText} action={make} />
          return typeGroups.map(({ group, types }) => {
            const own = rows.filter(({ type }) => (types as readonly ToolType[]).includes(type))
            if (own.length === 0) return null
            return (
              <Stack key={group} gap="xs" component="section" aria-label={t.group[group]}>
                <Title order={2} size="h5">
                  {t.group[group]}
                </Title>
                <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm" component="ul" p={0} m={0}>
                  {own.map(({ id, name, type, description, isActive }) => (
                    <li key={id} style={{ listStyle: 'none' }}>
                      <Paper
                        withBorder
                        p="md"
                        h="100%"
                        component={Link}
                        href={`/tools/${id}`}
                        className={styles.choice}
                      >
                        <Group wrap="nowrap" align="flex-start">
                          <TypeIcon type={type} size={40} />
                          <Stack gap={2} miw={0} flex={1}>
                            <Group justify="space-between" gap="xs" wrap="nowrap">
                              <Text fw={600} truncate>
                                {name}
                              </Text>
                              {!isActive && <StatusBadge tone="off" word={t.off} />}
                            </Group>
                            <Text size="xs" c="dimmed">
                              {t.types[type].name}
                            </Text>
                            <Text size="sm" lineClamp={2} mt={4}>
                              {description ?? t.types[type].text}
                            </Text>
                          </Stack>
                        </Group>
                      </Paper>
                    </li>
                  ))}
                </SimpleGrid>
              </Stack>
            )
          })
        }}
      </QueryResult>
      <NewTool isOpen={isOpen} onClose={close} />
    </Page>
  )
}
