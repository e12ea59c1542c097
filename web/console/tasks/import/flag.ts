const key = 'waybill.importing'

/** Set while an import is being sent, so that a visit need not open the database to learn that there is none. */
export function mayBeUnfinished(): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}

export function flagUnfinished(isUnfinished: boolean) {
  try {
    if (isUnfinished) localStorage.setItem(key, '1')
    else localStorage.removeItem(key)
  } catch {
    // Then the import itself offers to continue.
  }
}
