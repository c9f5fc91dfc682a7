// Calls of website visitors: whether their widget still offers calls, its limits, and its session count.
import { appError } from '../../base/errors/errors.ts'
import type { WebCallGrant } from '../../webcall/call-token.ts'
import type { WidgetSessions } from '../widgets/session-store.ts'
import type { OwnedWidget, WidgetStore } from '../widgets/store.ts'

/** Null if the token was issued by an older release. */
const visitorOf = ({ widget }: WebCallGrant): string | null => widget?.visitor ?? null

export function visitorCalls(widgets: Pick<WidgetStore, 'published'>, sessions: WidgetSessions) {
  /** The current widget, which may have changed since the token was issued. */
  async function widgetOf({ agentId, widget }: WebCallGrant): Promise<OwnedWidget | undefined> {
    if (!widget) return undefined
    const current = await widgets.published(widget.id)
    const isOffered =
      current?.isActive &&
      current.agentId === agentId &&
      current.channels.includes('call') &&
      current.origins.includes(widget.origin)
    if (!isOffered) throw appError('web_call_token_invalid')
    return current
  }

  return {
    /** Throws if no call could be opened now. */
    check: (widget: OwnedWidget, visitor: string) => sessions.checkCall(widget, visitor),

    /**
     * Opens the call's session and returns its time limit; throws 429 if the widget has no room. Null if the call is
     * not a widget's.
     */
    async enter(grant: WebCallGrant): Promise<number | null> {
      const widget = await widgetOf(grant)
      if (!widget) return null
      await sessions.openCall(widget, grant.callId, visitorOf(grant))
      return widget.limits.maxCallSeconds * 1000
    },

    /**
     * Counts the call in the widget's budget; throws 429. Failed calls count too, because they can be repeated
     * endlessly.
     */
    async count(grant: WebCallGrant): Promise<void> {
      const widget = await widgetOf(grant)
      if (widget) await sessions.spendCall(widget, visitorOf(grant))
    },

    async leave({ widget, callId }: WebCallGrant): Promise<void> {
      if (widget) await sessions.closeCall(callId)
    },
  }
}
