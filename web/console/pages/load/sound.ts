let context: AudioContext | undefined

/** A short high tone if a parcel belongs where it was scanned, two low ones if not. Silent where the browser has no sound. */
export function playVerdict(isRight: boolean) {
  if (typeof AudioContext === 'undefined') return
  context ??= new AudioContext()
  const { currentTime: now } = context
  if (isRight) return playTone(context, 880, now)
  playTone(context, 220, now)
  playTone(context, 220, now + 0.2)
}

function playTone(context: AudioContext, hertz: number, at: number) {
  const tone = context.createOscillator()
  const loudness = context.createGain()
  tone.frequency.value = hertz
  tone.type = hertz < 400 ? 'square' : 'sine'
  loudness.gain.setValueAtTime(0.2, at)
  loudness.gain.exponentialRampToValueAtTime(0.001, at + 0.15)
  tone.connect(loudness).connect(context.destination)
  tone.start(at)
  tone.stop(at + 0.16)
}
