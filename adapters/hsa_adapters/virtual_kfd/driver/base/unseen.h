/* What a device does is no access of a thread of the program, to a sanitizer that looks for races. */
#ifndef UNSEEN_H
#define UNSEEN_H

#define OF_SANITIZER(name) extern void name(const char *file, int line) __attribute__((weak))
OF_SANITIZER(AnnotateIgnoreReadsBegin);
OF_SANITIZER(AnnotateIgnoreReadsEnd);
OF_SANITIZER(AnnotateIgnoreWritesBegin);
OF_SANITIZER(AnnotateIgnoreWritesEnd);

static inline void unseen_begin(void)
{
    if (!AnnotateIgnoreReadsBegin || !AnnotateIgnoreWritesBegin)
        return;
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}

static inline void unseen_end(void)
{
    if (!AnnotateIgnoreReadsEnd || !AnnotateIgnoreWritesEnd)
        return;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}

#endif
