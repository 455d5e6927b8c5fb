package postgres

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// isolate sets up a child before its start: a console group of its own, so that Ctrl-C does not reach it. It does not
// inherit the lock: the job object ends it together with the tool, whose lock that is.
func isolate(cmd *exec.Cmd, _ account, _ *os.File) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// kill kills the child; its job object ends the others once it is gone.
func (p *process) kill() { _ = p.cmd.Process.Kill() }

// callNamedPipe opens a pipe, writes a message, reads one and closes it, all within a time in milliseconds.
var callNamedPipe = windows.NewLazySystemDLL("kernel32.dll").NewProc("CallNamedPipeW")

// signal sends a signal to a process of PostgreSQL the way its own tools do, through the pipe on which that listens; a
// child that has ended is os.ErrProcessDone, one that does not listen another error. It was compiled and not run.
func (p *process) signal(sig syscall.Signal) error {
	select {
	case <-p.done: // its process id may be another's by now
		return os.ErrProcessDone
	default:
	}
	send, err := signalByte(sig)
	if err != nil {
		return err
	}
	path, err := windows.UTF16PtrFromString(signalPipe(p.cmd.Process.Pid))
	if err != nil {
		return err
	}
	var answer byte
	var length uint32
	const within = 1000
	ok, _, err := callNamedPipe.Call(uintptr(unsafe.Pointer(path)), uintptr(unsafe.Pointer(&send)), 1,
		uintptr(unsafe.Pointer(&answer)), 1, uintptr(unsafe.Pointer(&length)), within)
	if ok == 0 || length != 1 || answer != send {
		return fmt.Errorf("sending signal %d to process %d: answer %d of %d bytes: %w", send, p.cmd.Process.Pid, answer, length, err)
	}
	return nil
}
