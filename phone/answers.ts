import { WaybillError } from '../sdk/calls.ts'

/** Not by a proxy, or by the page on which a network wants its users to sign in: only our errors have a code. */
const isOurs = (error: unknown): error is WaybillError => error instanceof WaybillError && error.code !== 'INTERNAL'

export const isSignedOut = (error: unknown) => isOurs(error) && error.status === 401
/** It was the driver who was signed out, not the device. */
export const isSuspended = (error: unknown) => isOurs(error) && error.code === 'SIGN_IN_SUSPENDED'
/** Asking again will not help: the server has understood and said no. */
export const isRefused = (error: unknown): error is WaybillError =>
  isOurs(error) && [400, 403, 404, 409, 413, 415, 422].includes(error.status)
