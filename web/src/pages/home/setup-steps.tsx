// The steps to the first call: open, collapsed to one line, or dismissed.
import {
  Button,
  CloseButton,
  Collapse,
  Group,
  Paper,
  Progress,
  Stack,
  Text,
  ThemeIcon,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCheck, IconChevronDown, IconCircleDashed } from '@tabler/icons-react'
import { Link } from 'wouter'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { homeTexts } from './home-texts.ts'
import { actionsOf, nextStep, type Step } from './setup-state.ts'

type Props = { steps: readonly Step[]; hasAgent: boolean }

export function SetupSteps({ steps, hasAgent, dismiss }: Props & { dismiss?: () => void }) {
  const t = useTexts(homeTexts)
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <Section
      title={t.setup}
      about={t.setupCount(done, steps.length)}
      actions={dismiss && <CloseButton aria-label={t.dismiss} title={t.dismiss} onClick={dismiss} />}
    >
      <Progress value={(done / steps.length) * 100} size="sm" aria-label={t.setupCount(done, steps.length)} />
      <StepList steps={steps} hasAgent={hasAgent} />
    </Section>
  )
}

/** One line with the next step, which expands to the list. */
export function FoldedSteps({ steps, hasAgent, dismiss }: Props & { dismiss: () => void }) {
  const t = useTexts(homeTexts)
  const [isOpen, { toggle }] = useDisclosure(false)
  const done = steps.filter(({ isDone }) => isDone).length
  const next = nextStep(steps)
  const [action] = next ? actionsOf(next, hasAgent) : []
  return (
    <Paper withBorder px="lg" py={10} component="section" aria-label={t.setup}>
      <Group justify="space-between" gap="sm">
        <UnstyledButton onClick={toggle} aria-expanded={isOpen} style={{ flex: '1 1 260px' }}>
          <Group gap="sm" wrap="nowrap">
            <IconChevronDown size={18} aria-hidden style={{ rotate: isOpen ? '180deg' : undefined, flex: 'none' }} />
            <Text size="sm">
              <b>{t.setup}</b> · {t.setupCount(done, steps.length)}
              {next && ` · ${t.next(t[next.step].title)}`}
            </Text>
          </Group>
        </UnstyledButton>
        <Group gap="xs" wrap="nowrap">
          {action && !isOpen && (
            <Button component={Link} href={action.to} size="compact-sm" variant="light">
              {t.action[action.action]}
            </Button>
          )}
          <CloseButton aria-label={t.dismiss} title={t.dismiss} onClick={dismiss} />
        </Group>
      </Group>
      <Collapse expanded={isOpen}>
        <div style={{ paddingBlock: 14 }}>
          <StepList steps={steps} hasAgent={hasAgent} />
        </div>
      </Collapse>
    </Paper>
  )
}

function StepList({ steps, hasAgent }: Props) {
  const next = nextStep(steps)
  return (
    <Stack gap="md" component="ol" p={0} m={0}>
      {steps.map((step) => (
        <SetupRow key={step.step} step={step} isNext={step === next} hasAgent={hasAgent} />
      ))}
    </Stack>
  )
}

function SetupRow({ step, isNext, hasAgent }: { step: Step; isNext: boolean; hasAgent: boolean }) {
  const t = useTexts(homeTexts)
  const { isDone } = step
  const text = useStepText(step)
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="sm" style={{ listStyle: 'none' }}>
      <ThemeIcon variant="light" color={isDone ? 'teal' : 'gray'} radius="xl" size={26} mt={1}>
        {isDone ? <IconCheck size={15} aria-hidden /> : <IconCircleDashed size={15} aria-hidden />}
      </ThemeIcon>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text fw={600} size="sm" {...(isDone ? { c: 'dimmed' } : {})}>
          {t[step.step].title}
          <VisuallyHidden> ({isDone ? t.isDone : t.isOpen})</VisuallyHidden>
        </Text>
        {!isDone && (
          <>
            <Text size="sm" c="dimmed">
              {text}
            </Text>
            {step.percent !== null && (
              <Progress value={step.percent} size="sm" mt={6} animated aria-label={t[step.step].title} />
            )}
            <Group gap="xs" mt={6}>
              {actionsOf(step, hasAgent).map(({ to, action }, i) => (
                <Button
                  key={action}
                  component={Link}
                  href={to}
                  size="compact-sm"
                  variant={isNext && i === 0 ? 'light' : 'default'}
                >
                  {t.action[action]}
                </Button>
              ))}
            </Group>
          </>
        )}
      </div>
    </Group>
  )
}

/** In the page's language; unknown states show the server's text. */
function useStepText({ step, state, percent, isDone, detail }: Step): string {
  const t = useTexts(homeTexts)
  if (step === 'voice') {
    if (state === 'preparing') return t.voice.preparing(percent ?? 0)
    if (state === 'small') return isDone ? t.voice.smallWanted : t.voice.small
    if (state === 'natural' || state === 'vendor' || state === 'off') return t.voice[state]
    return detail
  }
  const texts: Readonly<Record<string, unknown>> = t[step]
  const text = texts[state]
  return typeof text === 'string' ? text : detail
}
