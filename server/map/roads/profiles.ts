import { type Transport, transports } from '../../../core/travel.ts'

/*
 * Who moves on the roads: the means of transport of drivers. Sets of them are bits in one number, in this order.
 */

export const profiles: readonly Transport[] = Object.values(transports)

export const bitOf = (profile: Transport) => 1 << profiles.indexOf(profile)

export const setOf = (...members: readonly Transport[]) => members.reduce((bits, profile) => bits | bitOf(profile), 0)

export const everybody = setOf(...profiles)
export const motorised = setOf('motorcycle', 'car', 'van', 'truck')
/** Everybody but those on foot: whom signs at junctions speak to. */
export const vehicles = everybody & ~bitOf('foot')
