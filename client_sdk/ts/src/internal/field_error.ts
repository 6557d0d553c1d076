// SPDX-License-Identifier: MIT
import { ErrorCode, Status } from "../status.js";

/** What is wrong with an argument, and where. The path grows from the inside out. */
export class FieldError {
  constructor(
    readonly code: ErrorCode,
    /** "parts[0].shape.minX" */
    readonly field: string,
    /** Goes on where `field` ends: "is not a finite number". */
    readonly what: string,
  ) {}

  within(outer: string): FieldError {
    const separator = this.field === "" || this.field.startsWith("[") ? "" : ".";
    return new FieldError(this.code, outer + separator + this.field, this.what);
  }

  at(index: number): FieldError {
    return this.within(`[${index}]`);
  }

  /** Of the element itself, not of a field of it. */
  forElement(index: number): FieldError {
    return new FieldError(this.code, `[${index}]`, this.what);
  }

  status(): Status {
    return new Status(this.code, `${this.field} ${this.what}`, "", this.field);
  }
}

export type Checked<Value> = Value | FieldError;

export function isError<Value>(checked: Checked<Value>): checked is FieldError {
  return checked instanceof FieldError;
}

const UINT32_MAX = 0xffff_ffff;

// The messages' encoder throws at numbers that do not fit their fields: none gets that far.

export function checkUint32(value: number, field: string): FieldError | undefined {
  if (Number.isInteger(value) && value >= 0 && value <= UINT32_MAX) return undefined;
  return new FieldError(ErrorCode.OutOfRange, field, `is ${value}; 0 to ${UINT32_MAX} are allowed`);
}

export function checkAll(values: readonly number[], field: string): FieldError | undefined {
  for (const [index, value] of values.entries()) {
    const error = checkUint32(value, "");
    if (error) return error.at(index).within(field);
  }
  return undefined;
}

export function checkTick(value: number, field: string): FieldError | undefined {
  if (Number.isSafeInteger(value) && value >= 0) return undefined;
  return new FieldError(ErrorCode.OutOfRange, field, `is ${value}, which is no tick`);
}

/** Of several checks the first that failed. */
export function firstOf(...errors: (FieldError | undefined)[]): FieldError | undefined {
  return errors.find((error) => error !== undefined);
}
