package postgres

import (
	"fmt"
	"os"
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// job is a job object that holds one child and all that it starts. Only the tool has a handle on it; when that is
// closed, as it is when the tool dies, Windows ends whatever is in the job. It was compiled and not run.
type job struct {
	handle windows.Handle
	limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION // here and not on a stack, which may move under the system's feet
}

// systemGuard makes the job of a child, a server or not: killed alone, initdb would leave its children.
func systemGuard(*exec.Cmd, string) (guard, error) {
	handle, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("making a job object: %w", err)
	}
	j := &job{handle: handle}
	j.limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(handle, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&j.limits)), uint32(unsafe.Sizeof(j.limits)))
	if err != nil {
		j.release()
		return nil, fmt.Errorf("setting the limits of a job object: %w", err)
	}
	return j, nil
}

// watch puts the child into the job. What the child starts after that is in it too; a postmaster has started nothing
// so early.
func (j *job) watch(child *os.Process) error {
	var assigning error
	err := child.WithHandle(func(handle uintptr) {
		assigning = windows.AssignProcessToJobObject(j.handle, windows.Handle(handle))
	})
	if err == nil {
		err = assigning
	}
	if err != nil {
		return fmt.Errorf("putting process %d into a job object: %w", child.Pid, err)
	}
	return nil
}

// release closes the job, which ends what a child that has ended left in it.
func (j *job) release() { _ = windows.CloseHandle(j.handle) }
