import { isDeepStrictEqual } from 'node:util'
import type { AuditChange } from '../../contract/audit.ts'

/** A value that is longer as JSON is not kept: the log says only that the field has changed. */
const longestValue = 2_000

type Fields = Record<string, unknown>

/**
 * What differs, field by field. Of a hidden field, one that is personal or secret, only the name is told. Nothing before
 * is a creation, nothing after a deletion; what is null or empty then is left out.
 */
export function tellChanges(
  before: Fields | null,
  after: Fields | null,
  hidden: readonly string[] = [],
): AuditChange[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names].flatMap((field): AuditChange[] => {
    const [was, is] = [before?.[field], after?.[field]]
    if (before && after ? isDeepStrictEqual(was, is) : isNothing(before ? was : is)) return []
    if (hidden.includes(field) || isLong(was) || isLong(is)) return [{ field }]
    return [{ field, ...(before && { before: was ?? null }), ...(after && { after: is ?? null }) }]
  })
}

const isNothing = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const isLong = (value: unknown) => (JSON.stringify(value) ?? '').length > longestValue
