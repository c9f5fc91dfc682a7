// Catches errors while a page loads or renders, and retries when `resetKey` changes.
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { forgetFailedLoads } from '../lazy-component.ts'

export type Caught = { error: unknown; componentStack: string | null }
type Props = { resetKey?: string; fallback: (caught: Caught, retry: () => void) => ReactNode; children: ReactNode }
type State = { caught: Caught | null; resetKey: string | undefined }

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { caught: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { caught: { error, componentStack: null } }
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): Partial<State> | null {
    if (resetKey === state.resetKey) return null
    if (state.caught) forgetFailedLoads()
    return { caught: null, resetKey }
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    this.setState({ caught: { error, componentStack: componentStack ?? null } })
  }

  retry = (): void => {
    forgetFailedLoads()
    this.setState({ caught: null })
  }

  override render(): ReactNode {
    const { caught } = this.state
    return caught ? this.props.fallback(caught, this.retry) : this.props.children
  }
}
