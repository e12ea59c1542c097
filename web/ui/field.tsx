import { type ComponentProps, type ReactNode, useId } from 'react'
import { join } from './class-names.ts'

export const inputLook =
  'h-8 w-full rounded-md border border-line bg-surface px-2.5 text-ink hover:border-line-strong ' +
  'aria-invalid:border-bad disabled:opacity-60'

interface FieldProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
  className?: string
  /** Receives the attributes that connect the control with its label, hint and error. */
  children: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode
}

/** A label, a control, and below it the hint or the error. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId()
  const below = error ?? hint
  return (
    <div className={join('grid content-start gap-1', className)}>
      <label htmlFor={id} className="font-medium text-ink-soft">
        {label}
      </label>
      {children({ id, ...(below && { 'aria-describedby': `${id}-below` }), ...(error && { 'aria-invalid': true }) })}
      {below && (
        <p id={`${id}-below`} className={error ? 'text-bad' : 'text-ink-faint'}>
          {below}
        </p>
      )}
    </div>
  )
}

type Rest = Pick<FieldProps, 'label' | 'hint' | 'error'>

export function TextField({ label, hint, error, className, ...rest }: Rest & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={error} {...(className && { className })}>
      {(control) => <input {...control} className={inputLook} {...rest} />}
    </Field>
  )
}

export function TextArea({ label, hint, error, className, ...rest }: Rest & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} error={error} {...(className && { className })}>
      {(control) => <textarea {...control} className={join(inputLook, 'h-auto min-h-16 py-1.5')} {...rest} />}
    </Field>
  )
}

export function SelectField({ label, hint, error, className, children, ...rest }: Rest & ComponentProps<'select'>) {
  return (
    <Field label={label} hint={hint} error={error} {...(className && { className })}>
      {(control) => (
        <select {...control} className={inputLook} {...rest}>
          {children}
        </select>
      )}
    </Field>
  )
}

export function Checkbox({ label, hint, ...rest }: { label: ReactNode; hint?: string } & ComponentProps<'input'>) {
  return (
    <label className="flex items-start gap-2">
      <input type="checkbox" className="mt-0.5 size-4 accent-(--brand)" {...rest} />
      <span>
        {label}
        {hint && <span className="block text-ink-faint">{hint}</span>}
      </span>
    </label>
  )
}
