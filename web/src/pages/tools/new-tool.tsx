// Selects the type of a new tool.
import { Group, Modal, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { typeGroups } from './tool-types.ts'
import styles from './tools.module.css'
import { toolsTexts } from './tools-texts.ts'
import { TypeIcon } from './type-icon.tsx'

/** `agentId` is the agent to which the new tool is added. */
export function NewTool({ isOpen, onClose, agentId }: { isOpen: boolean; onClose: () => void; agentId?: string }) {
  const t = useTexts(toolsTexts)
  const c = useTexts(commonTexts)
  return (
    <Modal opened={isOpen} onClose={onClose} title={t.choose} size="xl" closeButtonProps={{ 'aria-label': c.close }}>
      <Stack gap="lg">
        {typeGroups.map(({ group, types }) => (
          <section key={group} aria-label={t.group[group]}>
            <Title order={3} size="h6" mb="xs" c="dimmed">
              {t.group[group]}
            </Title>
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
              {types.map((type) => (
                <Paper
                  key={type}
                  withBorder
                  p="sm"
                  component={Link}
                  href={`/tools/new?type=${type}${agentId ? `&agent=${agentId}` : ''}`}
                  className={styles.choice}
                >
                  <Group wrap="nowrap" gap="sm">
                    <TypeIcon type={type} />
                    <div>
                      <Text fw={600} size="sm">
                        {t.types[type].name}
                      </Text>
                      <Text size="sm" c="dimmed">
                        {t.types[type].text}
                      </Text>
                    </div>
                  </Group>
                </Paper>
              ))}
            </SimpleGrid>
          </section>
        ))}
      </Stack>
    </Modal>
  )
}
